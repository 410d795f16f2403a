import type { Tx } from '../../../kernel/db/database.ts'
import type { OldPayment, OldPayments } from './record.ts'
import { selectLinkIds, selectOldPayments, selectPaymentsTo, selectUnendedOf } from './store.ts'

/** Payments that may have passed the retention of their personal data. */
export const listOldPayments = (tx: Tx, orgId: string, page: OldPayments): Promise<OldPayment[]> =>
  selectOldPayments(tx, orgId, page)

/** Those of the payments that have not ended, or have a refund that has not, as the transaction sees it. */
export const listUnended = (tx: Tx, orgId: string, paymentIds: readonly string[]): Promise<string[]> =>
  selectUnendedOf(tx, orgId, paymentIds)

/** The payments to a beneficiary whose details are not erased yet. */
export const listPaymentsTo = (tx: Tx, orgId: string, beneficiaryId: string): Promise<string[]> =>
  selectPaymentsTo(tx, orgId, beneficiaryId)

/** The payment links through which the payments were made. */
export const listLinksOf = (tx: Tx, orgId: string, paymentIds: readonly string[]): Promise<string[]> =>
  selectLinkIds(tx, orgId, paymentIds)
