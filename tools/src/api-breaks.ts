import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { acceptedBreaks } from './api-breaks/accepted-breaks.ts'
import { findBreaks } from './api-breaks/find-breaks.ts'
import { findChanges } from './changed-files.ts'

const root = join(import.meta.dirname, '../..')
const path = 'docs/openapi.json'
const documentBytesLimit = 50_000_000

/** Fails if docs/openapi.json breaks a promise of the last release, or of main as long as there is no release. */
const base = lastRelease() ?? (await findChanges(root)).base
const before = git('show', `${base}:${path}`)
if (before === undefined) console.log(`${base} has no ${path}, so there is nothing to compare with`)
else {
  const after = readFileSync(join(root, path), 'utf8')
  const breaks = findBreaks(JSON.parse(before), JSON.parse(after)).filter(
    (line) => !Object.keys(acceptedBreaks).some((accepted) => line.startsWith(accepted)),
  )
  for (const line of breaks) console.log(line)
  console.log(`${breaks.length} breaks against ${base}`)
  if (breaks.length > 0) process.exitCode = 1
}

function lastRelease(): string | undefined {
  return git('describe', '--tags', '--abbrev=0', '--match', 'v*')?.trim()
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: documentBytesLimit,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}
