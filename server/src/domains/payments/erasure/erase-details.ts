import type { Tx } from '../../../kernel/db/database.ts'
import { clearDetails } from './store.ts'

/** Removes what the payments say about people, and the texts in which callers may have named them. Amounts stay. */
export const eraseDetails = (tx: Tx, orgId: string, paymentIds: readonly string[], at: Date): Promise<void> =>
  clearDetails(tx, orgId, paymentIds, at)
