import type { Database } from '../../../../kernel/db/database.ts'
import { hasUnsealedAcrossOrgs } from './store.ts'

/** Whether an entry with an id from `fromId` to before `toId` waits for its block. */
export const findUnsealed = (
  { db }: { db: Database },
  ids: { fromId: string; toId: string },
): Promise<boolean> => db.acrossOrgs((tx) => hasUnsealedAcrossOrgs(tx, ids))
