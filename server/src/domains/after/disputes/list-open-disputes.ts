import type { Database } from '../../../kernel/db/database.ts'
import { selectOpenDisputesAcrossOrgs } from './store.ts'

const openLimit = 500

/** The open disputes of all organisations at an account, the ones that changed longest ago first. */
export const listOpenDisputes = (
  deps: { db: Database },
  accountId: string,
): Promise<{ orgId: string; disputeId: string; providerRef: string }[]> =>
  deps.db.acrossOrgs((tx) => selectOpenDisputesAcrossOrgs(tx, accountId, openLimit))
