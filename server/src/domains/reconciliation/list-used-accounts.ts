import type { Database } from '../../db/database.ts'
import type { Account } from './record.ts'
import { selectAccountsAcrossOrgs } from './store.ts'

/** The accounts of all organisations that carried something since. */
export const listUsedAccounts = (deps: { db: Database }, since: Date): Promise<Account[]> =>
  deps.db.acrossOrgs((tx) => selectAccountsAcrossOrgs(tx, since))
