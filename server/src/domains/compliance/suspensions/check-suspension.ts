import type { Database } from '../../../kernel/db/database.ts'
import { selectHeldBack } from './store.ts'

/**
 * Whether what was written may still be sent again. It is no guard: what is to be sent is refused by the database, in
 * the transaction that writes it (assert_not_suspended).
 */
export const isSendingHeldBack = (
  deps: { db: Database },
  orgId: string,
  { accountId }: { accountId: string | null },
): Promise<boolean> => deps.db.inOrg(orgId, (tx) => selectHeldBack(tx, orgId, accountId))
