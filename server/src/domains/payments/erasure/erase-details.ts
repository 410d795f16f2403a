import type { Tx } from '../../../db/database.ts'
import { clearDetails, findUnendedOf, selectLinkIds, selectPaymentsTo } from './store.ts'

/** The first of the payments that has not ended, or has a refund that has not, as the transaction sees it. */
export const findUnended = (
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<string | undefined> => findUnendedOf(tx, orgId, paymentIds)

/** The payments to a beneficiary whose details are not erased yet. */
export const listPaymentsTo = (tx: Tx, orgId: string, beneficiaryId: string): Promise<string[]> =>
  selectPaymentsTo(tx, orgId, beneficiaryId)

/** The payment links through which the payments were made. */
export const listLinksOf = (tx: Tx, orgId: string, paymentIds: readonly string[]): Promise<string[]> =>
  selectLinkIds(tx, orgId, paymentIds)

/** Removes what the payments say about people, and the texts in which callers may have named them. Amounts stay. */
export const eraseDetails = (tx: Tx, orgId: string, paymentIds: readonly string[], at: Date): Promise<void> =>
  clearDetails(tx, orgId, paymentIds, at)
