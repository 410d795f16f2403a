import type { Custody } from '../../../ledger/available.ts'

export type RefundState = 'sending' | 'unknown' | 'accepted' | 'completed' | 'failed'

export interface Refund {
  orgId: string
  refundId: string
  paymentId: string
  amountMinor: bigint
  currency: string
  reason: string
  state: RefundState
  reference: string
  provider: string
  /** The account that carried the payment. */
  accountId: string
  providerRef: string | null
  /** False for refunds of a release that held nothing: their amount is posted when they complete. */
  /** Where the payment's money lies, and the refund is paid from. */
  custody: Custody
  isHeld: boolean
  failureCode: string | null
  failureMessage: string | null
  userId: string
  /** How many scheduled inquiries in a row have not found it, and when the last of them was counted. */
  notFoundCount: number
  notFoundAt: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export const isOpenRefund = (refund: Refund): boolean =>
  refund.state !== 'completed' && refund.state !== 'failed'
