import type { Tx } from '../../../kernel/db/database.ts'
import { clearDetails } from './store.ts'

/** Removes the personal data of the payments, and the texts in which callers may have named people. Amounts stay. */
export const eraseDetails = (tx: Tx, orgId: string, paymentIds: readonly string[], at: Date): Promise<void> =>
  clearDetails(tx, orgId, paymentIds, at)
