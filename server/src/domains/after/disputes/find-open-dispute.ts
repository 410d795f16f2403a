import type { Tx } from '../../../kernel/db/database.ts'
import { selectOpenDisputesOf } from './store.ts'

/** Those of the payments that are disputed, as the transaction sees it. */
export const listDisputedPayments = async (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<string[]> =>
  (await selectOpenDisputesOf(tx, orgId, paymentIds)).rows.map(({ paymentId }) => paymentId)
