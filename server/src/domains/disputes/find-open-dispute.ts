import type { Tx } from '../../db/database.ts'
import { selectOpenDisputesOf } from './store.ts'

/** One of the payments that is disputed, as the transaction sees it. */
export const findDisputedPayment = async (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<string | undefined> => (await selectOpenDisputesOf(tx, orgId, paymentIds)).rows[0]?.paymentId
