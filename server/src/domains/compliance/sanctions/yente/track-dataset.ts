import type { Database } from '../../../../kernel/db/database.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { unavailable } from '../../../../lib/errors.ts'
import { repeatEvery } from '../../../../lib/flow/repeat-every.ts'
import { singleFlight } from '../../../../lib/flow/single-flight.ts'
import type { Log } from '../../../../lib/log.ts'
import { listsInUse } from '../lists/rules.ts'
import { selectVersionsInForceAcrossOrgs } from '../lists/store.ts'
import type { ListsInUse } from '../record.ts'
import type { SanctionsIndex } from '../track-index.ts'
import { cannotCompare, unreadableHit } from '../find-unreadable.ts'
import type { YenteServer } from './record.ts'
import { indexedDataset, toHits, versionIdOf } from './rules.ts'
import { createYenteClient } from './find-names.ts'

interface YenteDeps {
  db: Database
  clock: Clock
  log: Log
  /** How often the catalog is read. */
  refreshEveryMs?: number
}

const defaultRefreshEveryMs = 15_000

/** The version of the dataset that the server has indexed. */
interface DatasetInUse {
  versionId: string
  publishedAt: Date
}

/**
 * Names are searched by a yente server instead of this process. Until it has said which version it has indexed, nobody
 * can be screened. Lists that were loaded from files are not searched, but they count as being in use: each one that is
 * published has to be followed by a screening of everybody, and what was screened before it is screened again.
 */
export function createYenteScreening(
  { db, clock, log, refreshEveryMs = defaultRefreshEveryMs }: YenteDeps,
  server: YenteServer,
): SanctionsIndex {
  const client = createYenteClient(server)
  let dataset: DatasetInUse | undefined
  let wasLoaded = false
  let files = listsInUse([])

  const readDataset = async (): Promise<void> => {
    const catalog = await client.readCatalog()
    if (catalog === undefined) return
    const indexed = indexedDataset(catalog, server.dataset)
    if (!indexed) {
      dataset = undefined
      throw unavailable(`The yente server has not indexed the dataset ${server.dataset}.`)
    }
    const versionId = versionIdOf(server.dataset, indexed.version)
    wasLoaded = true
    if (versionId === dataset?.versionId) return
    dataset = { versionId, publishedAt: indexed.exportedAt ?? clock.now() }
    log.info(
      { dataset: server.dataset, version: indexed.version, versionId },
      'a version of the yente dataset was taken into use',
    )
  }
  const refresh = async (): Promise<void> => {
    files = listsInUse(await db.acrossOrgs(selectVersionsInForceAcrossOrgs))
    await readDataset()
  }
  const refreshOnce = singleFlight<void>()
  const inUse = (): ListsInUse => (dataset ? together(dataset, files) : listsInUse([]))
  return {
    async find(person) {
      if (!dataset) throw unavailable('The sanctions lists have not been read yet. Try again shortly.')
      const { versionId } = dataset
      const hits = toHits(await client.search(person), versionId)
      return cannotCompare(person.name) ? [...hits, unreadableHit] : hits
    },
    inUse,
    uses: (versionId) => inUse().versionIds.includes(versionId),
    refresh: () => refreshOnce('refresh', refresh),
    isLoaded: () => wasLoaded,
    async start() {
      const watching = repeatEvery(
        refreshEveryMs,
        async () => {
          await refreshOnce('refresh', refresh)
          return { hasMore: false }
        },
        (error) => log.error({ err: error }, 'the catalog of the yente server could not be read'),
      )
      await refreshOnce('refresh', refresh).catch(() => undefined)
      return watching
    },
  }
}

const together = ({ versionId, publishedAt }: DatasetInUse, files: ListsInUse): ListsInUse => ({
  versionIds: [versionId, ...files.versionIds],
  publishedAt: new Date(Math.max(publishedAt.getTime(), files.publishedAt?.getTime() ?? 0)),
})
