import { dateSection } from './changelog.ts'
import type { Clone } from './repository.ts'

type Manifest = { version: string; workspaces?: string[] }
type Lock = { version: string; packages: Record<string, { version?: string }> }

const breaksFile = 'tools/src/api-breaks/accepted-breaks.ts'
const pythonFiles = ['sdk-python/pyproject.toml', 'sdk-python/src/switchyard/_version.py']
const chartFile = 'deploy/helm/switchyard/Chart.yaml'

/** Writes the version wherever it is named, dates the changelog, and empties the list of accepted breaks. */
export function writeVersion(clone: Clone, version: string, day: string): void {
  const manifest: Manifest = JSON.parse(clone.read('package.json'))
  const workspaces = manifest.workspaces ?? []
  for (const path of ['package.json', ...workspaces.map((name) => `${name}/package.json`)])
    edit(clone, path, (text) => text.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`))
  edit(clone, 'package-lock.json', (text) => lockWith(text, workspaces, version))
  for (const path of pythonFiles)
    edit(clone, path, (text) => text.replace(/^((?:__)?version(?:__)? = )"[^"]*"/m, `$1"${version}"`))
  edit(clone, chartFile, (text) => text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`))
  edit(clone, 'CHANGELOG.md', (text) => dateSection(text, version, day))
  edit(clone, breaksFile, (text) => text.replace(/= \{\n[\s\S]*\n\}\n$/, '= {}\n'))
}

function edit(clone: Clone, path: string, change: (text: string) => string): void {
  if (!clone.has(path)) return
  const text = clone.read(path)
  const changed = change(text)
  if (changed !== text) clone.write(path, changed)
}

function lockWith(text: string, workspaces: readonly string[], version: string): string {
  const lock: Lock = JSON.parse(text)
  lock.version = version
  for (const path of ['', ...workspaces]) {
    const entry = lock.packages[path]
    if (entry !== undefined) entry.version = version
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`
}
