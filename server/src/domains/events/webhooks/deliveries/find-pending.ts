import type { Database } from '../../../../kernel/db/database.ts'
import { hasPendingAcrossOrgs } from './store.ts'

/** Whether an event with an id from `fromId` to before `toId` waits for an endpoint, which may be paused. */
export const findPending = (
  { db }: { db: Database },
  ids: { fromId: string; toId: string },
): Promise<boolean> => db.acrossOrgs((tx) => hasPendingAcrossOrgs(tx, ids))
