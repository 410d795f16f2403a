import type { Database } from '../../../kernel/db/database.ts'
import { countAwaitingAcrossOrgs } from './store.ts'

/** How many payments of all organisations wait for an approval. */
export const countAwaiting = (deps: { db: Database }): Promise<number> =>
  deps.db.acrossOrgs(countAwaitingAcrossOrgs)
