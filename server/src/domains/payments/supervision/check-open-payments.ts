import type { Tx } from '../../../kernel/db/database.ts'
import { findOpenPaymentTo, findPaymentSentTo } from '../store.ts'

/** Whether a payment to the beneficiary has not ended yet, as the caller's transaction sees it. */
export const hasOpenPaymentTo = async (tx: Tx, orgId: string, beneficiaryId: string): Promise<boolean> =>
  (await findOpenPaymentTo(tx, orgId, beneficiaryId)) !== undefined

/** Whether the beneficiary has been paid before, or is being paid. */
export const hasPaidTo = async (tx: Tx, orgId: string, beneficiaryId: string): Promise<boolean> =>
  (await findPaymentSentTo(tx, orgId, beneficiaryId)) !== undefined
