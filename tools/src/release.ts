import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildArtefacts } from './release/build-artefacts.ts'
import { checkRelease } from './release/check-release.ts'
import { openClone, type Clone } from './release/repository.ts'
import { writeVersion } from './release/write-version.ts'

type ReleaseOptions = {
  readonly root: string
  readonly version: string
  readonly dist?: string
  readonly isDryRun: boolean
  readonly hasImage: boolean
  readonly print: (line: string) => void
}

const repository = join(import.meta.dirname, '../..')

/**
 * Checks the clone, writes the version, commits it, makes the artefacts and tags the commit last, so that there is no tag
 * without them. Nothing leaves the machine. Returns whether it was released, or could be.
 */
export function release(options: ReleaseOptions): boolean {
  const { version, print } = options
  const clone = openClone(options.root)
  const { problems, facts, notes } = checkRelease(clone, version)
  for (const fact of facts) print(fact)
  for (const problem of problems) print(`FAILED   ${problem}`)
  if (problems.length > 0) return false
  const dist = options.dist ?? join(options.root, 'dist', version)
  if (options.isDryRun) {
    print(
      `dry run: ${version} can be released; it would be committed, built into ${dist} and tagged v${version}`,
    )
    return true
  }
  commitVersion(clone, version)
  const findTool = (name: string): string | undefined => findIn(options.root, name)
  const missing = buildArtefacts({ clone, version, notes, dist, hasImage: options.hasImage, findTool, print })
  clone.git('tag', '--annotate', `v${version}`, '--message', `Switchyard ${version}\n\n${notes}`)
  print(`tagged   v${version}; the artefacts and their checksums are in ${dist}; nothing was uploaded`)
  if (missing.length > 0) print(`not in it: ${missing.join(', ')}`)
  return true
}

function commitVersion(clone: Clone, version: string): void {
  writeVersion(clone, version, new Date().toISOString().slice(0, 'yyyy-mm-dd'.length))
  if (clone.git('status', '--porcelain').trim() === '') return
  const subject = `chore(release): write version ${version}`
  const body = 'The tag of a release names a commit that has its version and its dated changelog.'
  clone.git('commit', '--quiet', '--all', '--message', subject, '--message', body)
}

function findIn(root: string, name: string): string | undefined {
  const directories = [join(root, '.toolchain/deploy/bin'), ...(process.env['PATH'] ?? '').split(delimiter)]
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path))
}

/** `npm run release -- VERSION [--dry-run] [--no-image] [--dist DIRECTORY]` */
function main(): boolean {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'no-image': { type: 'boolean', default: false },
      dist: { type: 'string' },
    },
  })
  const [version] = positionals
  if (version === undefined || positionals.length > 1) {
    console.log('npm run release -- VERSION [--dry-run] [--no-image] [--dist DIRECTORY]')
    return false
  }
  return release({
    root: repository,
    version,
    ...(values.dist !== undefined && { dist: resolve(values.dist) }),
    isDryRun: values['dry-run'],
    hasImage: !values['no-image'],
    print: console.log,
  })
}

if (import.meta.main) process.exitCode = main() ? 0 : 1
