import { baseNameOf, isGenerated, isTestFile, type Repository, type RepositoryFile } from './repository.ts'

const fileLinesLimit = 300
/** Stores and tests are lists that lose their order when they are split by length. */
const listLinesLimit = 400
const listFile = /(?:\/store|\.test)\.tsx?$/
const connectorLinesLimit = 1_000
const connectorFile = /^server\/src\/connectors\/((?!kit\/)[^/]+)\/[^/]+\.ts$/
const typescriptRoots =
  /^(?:server|checkout|dashboard|simulator|sdk|cli|examples|stack|proof|bench|tools)\/.*\.tsx?$/
const kebabPath =
  /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*(?:(?:\.timing)?\.test|\.config|\.d)?\.tsx?$/
// Assembled from parts, so that this file does not break its own rules.
const unfinishedMarks = new RegExp(String.raw`\b(?:${['TO' + 'DO', 'FIX' + 'ME'].join('|')})\b`)
const registryHosts = new RegExp(
  [
    String.raw`\b(?:registry|npm|packages?)\.(?:[a-z0-9-]+\.)*(?:${['npmjs', 'yarnpkg', 'npmmirror'].join('|')})\.[a-z]+`,
    String.raw`\bregistry\.[a-z0-9-]+\.(?:org|com|net|io|dev|cloud|internal|local)\b`,
    String.raw`\bnpm\.pkg\.github\.[a-z]+`,
    String.raw`\b(?:artifactory|nexus|verdaccio|jfrog)\.[a-z0-9.-]+\.[a-z]{2,}\b`,
    String.raw`\bregistry\s*=\s*["']?https?:`,
  ].join('|'),
  'i',
)

export function checkFileLengths(repository: Repository): string[] {
  return repository.files.filter(isHandWritten).flatMap((file) => {
    const count = linesOf(file).length
    const limit = listFile.test(file.path) ? listLinesLimit : fileLinesLimit
    return count <= limit ? [] : [`${file.path}:${count} has ${count} lines; a file has at most ${limit}`]
  })
}

/** A connector is read as a whole, so the limit is on all its files without tests. */
export function checkConnectorLengths(repository: Repository): string[] {
  const own = repository.files.filter(({ path }) => connectorFile.test(path) && !isTestFile(path))
  const connectors = Map.groupBy(own, ({ path }) => connectorFile.exec(path)?.[1] ?? '')
  return [...connectors].flatMap(([name, files]) => {
    const count = files.reduce((sum, file) => sum + linesOf(file).length, 0)
    if (count <= connectorLinesLimit) return []
    return [`connectors/${name} has ${count} lines; it has at most ${connectorLinesLimit}`]
  })
}

export function checkFileNames(repository: Repository): string[] {
  return repository.files
    .filter((file) => isHandWritten(file) && !kebabPath.test(file.path))
    .map((file) => `${file.path}:1 is not in kebab-case; folders and files are`)
}

export function checkUnfinishedMarks(repository: Repository): string[] {
  return repository.files
    .filter((file) => baseNameOf(file.path) !== 'package-lock.json')
    .flatMap((file) => matches(file, unfinishedMarks, 'marks unfinished work; finish it or write an issue'))
}

export function checkLockfile(repository: Repository): string[] {
  return repository.files
    .filter((file) => baseNameOf(file.path) === 'package-lock.json')
    .flatMap((file) =>
      matches(
        file,
        /"resolved": "http/,
        'names where a package came from; .npmrc leaves that out, install again',
      ),
    )
}

type LockEntry = { readonly version?: unknown; readonly link?: unknown; readonly integrity?: unknown }

/** `npm ci` installs an entry without a hash unverified. Workspaces and links to them have none. */
export function checkLockIntegrity(repository: Repository): string[] {
  const locks = repository.files.filter((file) => baseNameOf(file.path) === 'package-lock.json')
  return locks.flatMap((file) => {
    const lock: { packages?: Record<string, LockEntry> } = JSON.parse(file.text)
    return Object.entries(lock.packages ?? {})
      .filter(([path, entry]) => path.includes('node_modules/') && entry.version !== undefined && !entry.link)
      .filter(([, entry]) => typeof entry.integrity !== 'string' || entry.integrity === '')
      .map(([path]) => `${file.path}:1 has no integrity hash for ${path}; run npm run lock`)
  })
}

export function checkRegistryHosts(repository: Repository): string[] {
  return repository.files.flatMap((file) =>
    matches(file, registryHosts, 'names a package registry; which one to use is up to each machine'),
  )
}

export function checkLintExceptions(repository: Repository): string[] {
  return repository.files
    .filter(isHandWritten)
    .flatMap((file) =>
      matches(
        file,
        /(?:\/\/|\/\*)\s*oxlint-disable(?!.* -- \S)/,
        'switches a lint rule off; add ` -- why` to it',
      ),
    )
}

function matches(file: RepositoryFile, pattern: RegExp, what: string): string[] {
  return linesOf(file).flatMap((line, index) =>
    pattern.test(line) ? [`${file.path}:${index + 1} ${what}`] : [],
  )
}

function isHandWritten(file: RepositoryFile): boolean {
  return typescriptRoots.test(file.path) && !isGenerated(file.path)
}

function linesOf(file: RepositoryFile): string[] {
  return file.text.replace(/\n$/, '').split('\n')
}
