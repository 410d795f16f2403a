import type { Database } from '../../../../kernel/db/database.ts'
import type { ScreeningRun } from '../runs/record.ts'
import { selectRunsAcrossOrgs } from '../runs/store.ts'
import type { ListVersion } from './record.ts'
import { selectVersionsAcrossOrgs, selectVersionsInForceAcrossOrgs } from './store.ts'

const shownLimit = 50

export interface ListStatus {
  inForce: ListVersion[]
  versions: ListVersion[]
  runs: ScreeningRun[]
}

/** What is in force, what was before, and how far everybody is screened by it. */
export const listVersions = (deps: { db: Database }): Promise<ListStatus> =>
  deps.db.acrossOrgs(async (tx) => ({
    inForce: await selectVersionsInForceAcrossOrgs(tx),
    versions: await selectVersionsAcrossOrgs(tx, shownLimit),
    runs: await selectRunsAcrossOrgs(tx, shownLimit),
  }))
