import type { Tx } from '../../../kernel/db/database.ts'
import { clearDetails, selectLinkIds, selectPaymentsTo, selectUnendedOf } from './store.ts'

/** Those of the payments that have not ended, or have a refund that has not, as the transaction sees it. */
export const listUnended = (tx: Tx, orgId: string, paymentIds: readonly string[]): Promise<string[]> =>
  selectUnendedOf(tx, orgId, paymentIds)

/** The payments to a beneficiary whose details are not erased yet. */
export const listPaymentsTo = (tx: Tx, orgId: string, beneficiaryId: string): Promise<string[]> =>
  selectPaymentsTo(tx, orgId, beneficiaryId)

/** The payment links through which the payments were made. */
export const listLinksOf = (tx: Tx, orgId: string, paymentIds: readonly string[]): Promise<string[]> =>
  selectLinkIds(tx, orgId, paymentIds)

/** Removes what the payments say about people, and the texts in which callers may have named them. Amounts stay. */
export const eraseDetails = (tx: Tx, orgId: string, paymentIds: readonly string[], at: Date): Promise<void> =>
  clearDetails(tx, orgId, paymentIds, at)
