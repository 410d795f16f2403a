import { posix } from 'node:path'
import { domainOf, type Repository } from './architecture/repository.ts'
import { screenTests } from './screen-tests.ts'

type Selection = {
  readonly selected: readonly string[]
  /** How many more tests reach a changed file, but are further away from it. */
  readonly left: number
}

export const filesLimit = 30
/** A browser test takes ten times as long as another. */
const browserFilesLimit = 2
/** They put the whole program together, so nearly every test reaches everything through them. */
const compositionRoot =
  /^server\/(?:src\/main|test)\/|^server\/src\/(?:connectors\/registry|http\/server)\.ts$|^(?:stack|proof|bench)\/|^simulator\/src\/(?:main|simulator|registry)\.ts$|^dashboard\/src\/(?:routes|app)\.tsx?$|\/generated\//
/** They start processes and kill them, so only a change right beside them selects them. */
const longTest =
  /(?:^|\/)(?:proof\/.*|[\w-]*(?:crash|processes|race|load|model|scale)[\w-]*\.test\.ts|.*\.timing\.test\.ts)$/
const browserTest = /^server\/test\/browser\/|^checkout\/.*accessibility/

/**
 * The tests that a change is likely to break, nearest first: those beside a changed file, those that import it, and
 * those of its domain. The whole check runs all of them.
 */
export function selectTests(repository: Repository, changed: readonly string[]): Selection {
  const importers = importersOf(repository)
  const tests = repository.modules.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'))
  const distances = new Map<string, number>()
  for (const file of changed)
    for (const [test, distance] of [...neighbours(file, tests), ...reaching(file, importers)])
      distances.set(test, Math.min(distance, distances.get(test) ?? Infinity))
  const ordered = [...distances]
    .filter(([test, distance]) => tests.includes(test) && (distance <= 1 || !longTest.test(test)))
    .toSorted(([one, near], [other, far]) => near - far || one.localeCompare(other))
    .map(([test]) => test)
  const inBrowser = ordered.filter((test) => browserTest.test(test)).slice(browserFilesLimit)
  const selected = ordered.filter((test) => !inBrowser.includes(test)).slice(0, filesLimit)
  return { selected, left: ordered.length - selected.length }
}

function importersOf(repository: Repository): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of repository.modules)
    for (const { target } of imports) {
      if (target === undefined) continue
      const known = importers.get(target)
      if (known) known.push(path)
      else importers.set(target, [path])
    }
  return importers
}

/** The files that import the changed one, directly or through others, but not through a composition root. */
function reaching(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
): readonly (readonly [string, number])[] {
  const distances = new Map([[file, 0]])
  for (const [path, distance] of distances) {
    if (compositionRoot.test(path) && path !== file) continue
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  }
  return [...distances].flatMap(([path, distance]) => {
    const screen = /^dashboard\/src\/screens\/([^/]+)\//.exec(path)?.[1]
    const shown = screen === undefined ? undefined : screenTests[screen]
    const seen = shown === undefined ? [] : [[`server/test/browser/${shown}.test.ts`, distance + 1] as const]
    return [[path, distance] as const, ...seen]
  })
}

const sameDomainDistance = 2

/** The tests that lie beside the file, in its domain, or at the other side of a protocol. */
function neighbours(file: string, tests: readonly string[]): readonly (readonly [string, number])[] {
  const folder = posix.dirname(file)
  const domain = domainOf(file)
  const group = /^server\/migrations\/\d+_(\w+)\.sql$/.exec(file)?.[1]
  const provider = /^simulator\/src\/protocols\/([^/]+)\//.exec(file)?.[1]
  return tests.flatMap((test): (readonly [string, number])[] => {
    if (posix.dirname(test) === folder) return [[test, namesakes(file, test) ? 0 : 1]]
    if (group !== undefined && isOfGroup(test, group))
      return [[test, test.endsWith('routes.test.ts') ? 1 : 2]]
    const isInDomain = domain !== undefined && domainOf(test) === domain
    const isOtherSide = provider !== undefined && test.startsWith(`server/src/connectors/${provider}/`)
    const isPage = file.startsWith('checkout/src/') && test === 'server/test/browser/pay.test.ts'
    return isInDomain || isOtherSide || isPage ? [[test, sameDomainDistance]] : []
  })
}

/** A file of the baseline has the tables of one group of domains. */
const isOfGroup = (test: string, group: string): boolean =>
  test.startsWith(`server/src/domains/${group}/`) || test.startsWith(`server/src/${group}/`)

const namesakes = (file: string, test: string): boolean =>
  posix.basename(test, '.test.ts') === posix.basename(file).replace(/\.tsx?$/, '')
