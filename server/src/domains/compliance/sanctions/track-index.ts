import type { Database } from '../../../kernel/db/database.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { Log } from '../../../lib/log.ts'
import { repeatEvery } from '../../../lib/flow/repeat-every.ts'
import { singleFlight } from '../../../lib/flow/single-flight.ts'
import { buildIndex, type NamedEntry } from './build-index.ts'
import type { ListVersion } from './lists/record.ts'
import { listsInUse } from './lists/rules.ts'
import { selectEntriesAcrossOrgs, selectVersionsInForceAcrossOrgs } from './lists/store.ts'
import { createMatcher } from './match-name.ts'
import { cannotCompare, unreadableHit } from './find-unreadable.ts'
import type { Hit, ListsInUse, NameScreening, Person } from './record.ts'

export interface SanctionsIndex extends NameScreening {
  /** Takes the lists into use that are in force now. */
  refresh(): Promise<void>
  /** Whether this process screens with the version. */
  uses(versionId: string): boolean
  /** Whether the lists were read since the process started. */
  isLoaded(): boolean
  /** Reads the lists, and polls for new versions until it is stopped. If they cannot be read yet, it retries. */
  start(): Promise<{ stop(): Promise<void> }>
}

const refreshEveryMs = 2_000
const pageSize = 5_000

/**
 * The lists in force, in the memory of this process. A new version replaces the index once it is built. Until the lists
 * were read once, nobody can be screened.
 */
export function createSanctionsIndex({ db, log }: { db: Database; log: Log }): SanctionsIndex {
  let inUse: ListsInUse | undefined
  let find: (person: Person) => Hit[] = () => {
    throw unavailable('The sanctions lists have not been read yet. Try again shortly.')
  }
  const refresh = async (): Promise<void> => {
    const versions = await db.acrossOrgs(selectVersionsInForceAcrossOrgs)
    const wanted = listsInUse(versions)
    if (wanted.versionIds.join() === inUse?.versionIds.join()) return
    const index = await buildIndex(entriesOf(db, versions))
    find = readingEveryName(createMatcher(index))
    inUse = wanted
    if (versions.length > 0)
      log.info(
        { versions: wanted.versionIds.join(' '), names: index.entryOf.length },
        'the sanctions lists were taken into use',
      )
  }
  const refreshOnce = singleFlight<void>()
  return {
    find: (person) => find(person),
    inUse: () => inUse ?? listsInUse([]),
    uses: (versionId) => inUse?.versionIds.includes(versionId) === true,
    refresh: () => refreshOnce('refresh', refresh),
    isLoaded: () => inUse !== undefined,
    async start() {
      const watching = repeatEvery(
        refreshEveryMs,
        async () => {
          await refreshOnce('refresh', refresh)
          return { hasMore: false }
        },
        (error) => log.error({ err: error }, 'the sanctions lists could not be read'),
      )
      await refreshOnce('refresh', refresh).catch(() => undefined)
      return watching
    },
  }
}

/** People decide about a name in a script that cannot be written in Latin letters: it would match nobody. */
const readingEveryName =
  (find: (person: Person) => Hit[]) =>
  (person: Person): Hit[] =>
    cannotCompare(person.name) ? [...find(person), unreadableHit] : find(person)

async function* entriesOf(db: Database, versions: readonly ListVersion[]): AsyncGenerator<NamedEntry> {
  for (const version of versions)
    for (let after = '', isLast = false; !isLast;) {
      const page = await db.acrossOrgs((tx) =>
        selectEntriesAcrossOrgs(tx, { version, after, limit: pageSize }),
      )
      yield* page
      after = page.at(-1)?.entryId ?? after
      isLast = page.length < pageSize
    }
}
