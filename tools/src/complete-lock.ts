import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

interface LockEntry {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

export interface Lock {
  packages: Record<string, LockEntry>
}

/** The fields of a package's metadata that belong into its lock entry. */
export interface PackageMetadata {
  integrity: string
  platform: Record<string, unknown>
}

/** Reads a package's metadata; undefined when the registry does not have that version. */
type ReadMetadata = (name: string, version: string) => Promise<PackageMetadata | undefined>

const lockFiles = ['package-lock.json', 'docs/site/package-lock.json']
const platformFields = ['os', 'cpu', 'libc', 'engines', 'dependencies']
const exactVersion = /^\d+\.\d+\.\d+/
/** Accelerators of recheck: compiled programs and a Java archive. We run its JavaScript, so nobody downloads them. */
const unwantedPackages = /^recheck-(?:jar|linux|macos|windows)/

/**
 * A registry mirror may lack packages for other platforms. This gives every entry its integrity hash, and removes
 * the optional packages that are unwanted or whose hash cannot be read. Returns the packages that were removed.
 */
export async function completeLock(lock: Lock, readMetadata: ReadMetadata): Promise<string[]> {
  const dropped = new Set<string>()
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = nameOf(path)
    if (name === undefined || entry.link || entry.version === undefined) continue
    if (entry.optional && unwantedPackages.test(name)) dropped.add(name)
    if (entry.integrity || dropped.has(name)) continue
    const metadata = await readMetadata(name, entry.version)
    if (metadata) entry.integrity = metadata.integrity
    else if (entry.optional) dropped.add(name)
    else throw new Error(`${name}@${entry.version} has no integrity hash in the registry`)
  }
  for (const { name, version, dev } of missingPlatforms(lock)) {
    const isUnwanted = dropped.has(name) || unwantedPackages.test(name)
    const metadata = isUnwanted ? undefined : await readMetadata(name, version)
    if (metadata) lock.packages[`node_modules/${name}`] = entryFrom(version, dev, metadata)
    else dropped.add(name)
  }
  for (const name of dropped) drop(lock, name)
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  lock.packages = Object.fromEntries(sorted)
  return [...dropped].toSorted()
}

function missingPlatforms(lock: Lock): { name: string; version: string; dev: boolean }[] {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name, version]) => exactVersion.test(version) && !isLocked(lock, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev ?? false })),
  )
}

const isLocked = (lock: Lock, path: string, name: string): boolean =>
  `node_modules/${name}` in lock.packages || `${path}/node_modules/${name}` in lock.packages

const entryFrom = (version: string, dev: boolean, { integrity, platform }: PackageMetadata): LockEntry => ({
  version,
  integrity,
  ...platform,
  ...(dev && { dev }),
  optional: true,
})

/** npm refuses a lock file in which a package names an optional dependency that has no entry. */
function drop(lock: Lock, name: string): void {
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (nameOf(path) === name) delete lock.packages[path]
    delete entry.optionalDependencies?.[name]
  }
}

const nameOf = (path: string): string | undefined =>
  /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]

async function viewPackage(name: string, version: string): Promise<PackageMetadata | undefined> {
  const fields = ['dist.integrity', ...platformFields]
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, ...fields, '--json'])
    const found: Record<string, unknown> = JSON.parse(stdout)
    const { 'dist.integrity': integrity, ...platform } = found
    return typeof integrity === 'string' ? { integrity, platform } : undefined
  } catch (error) {
    if (error instanceof Error && error.message.includes('E404')) return undefined
    throw error
  }
}

if (import.meta.main) {
  for (const path of lockFiles) {
    const file = new URL(`../../${path}`, import.meta.url)
    const lock: Lock = JSON.parse(readFileSync(file, 'utf8'))
    const dropped = await completeLock(lock, viewPackage)
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
    for (const name of dropped)
      console.log(`removed ${name} from ${path}: it is unwanted, or its integrity hash cannot be read`)
  }
}
