import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const shown = 20
const maxListingBytes = 1 << 28

/** Names what two OCI archives differ in: blobs that are JSON as text, layers file by file with mode, owner and time. */
export function differences(archives: readonly [string, string], scratch: string): string[] {
  const [first, second] = archives.map((archive) => linesOf(archive, mkdtempSync(join(scratch, 'compare-'))))
  const onlyIn = (these: Set<string>, others: Set<string>, mark: string): string[] =>
    [...these].filter((line) => !others.has(line)).map((line) => `${mark} ${line}`)
  if (!first || !second) return []
  const found = [...onlyIn(first, second, '-'), ...onlyIn(second, first, '+')]
  return found.length > shown ? [...found.slice(0, shown), `… and ${found.length - shown} more`] : found
}

function linesOf(archive: string, directory: string): Set<string> {
  execFileSync('tar', ['-xf', archive, '-C', directory])
  const lines = globSync(join(directory, 'blobs/sha256/*')).flatMap((blob) => {
    const bytes = readFileSync(blob)
    return bytes[0] === '{'.charCodeAt(0) ? [bytes.toString()] : layerLines(blob, directory)
  })
  return new Set(lines)
}

/** One line for each entry of a layer, as `tar` lists it, and the digest of each file. */
function layerLines(blob: string, directory: string): string[] {
  const options = { encoding: 'utf8', maxBuffer: maxListingBytes } as const
  const listing = execFileSync('tar', ['-tvzf', blob, '--full-time', '--numeric-owner'], options).split('\n')
  const unpacked = mkdtempSync(join(directory, 'layer-'))
  execFileSync('tar', ['-xzf', blob, '-C', unpacked])
  const files = globSync('**/*', { cwd: unpacked, withFileTypes: true }).filter((entry) => entry.isFile())
  const digests = files.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return `${path.slice(unpacked.length)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
  })
  return [...listing, ...digests]
}
