import type { Database } from '../../../kernel/db/database.ts'
import { countUnknownAcrossOrgs, type UnknownAttempts } from './store.ts'

/** Attempts of all organisations whose outcome nobody knows, by provider. */
export const countUnknown = (deps: { db: Database }): Promise<UnknownAttempts[]> =>
  deps.db.acrossOrgs(countUnknownAcrossOrgs)
