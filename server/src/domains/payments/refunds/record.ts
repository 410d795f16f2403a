import type { Custody } from '../../../kernel/ledger/available.ts'

export type RefundState = 'sending' | 'unknown' | 'accepted' | 'completed' | 'failed'

/** `provider`: it was made at the provider itself; its amount is not held, but posted when it completes. */
export type RefundOrigin = 'api' | 'provider'

export interface Refund {
  orgId: string
  refundId: string
  paymentId: string
  origin: RefundOrigin
  /** In the currency that the payment collected. */
  amountMinor: bigint
  currency: string
  /** What the balance pays for it: of an exchanged payin in its target currency, at the payment's own rate. */
  debitMinor: bigint
  debitCurrency: string
  /** The part that exceeds what was left of the payment, and is in suspense. Known once it is completed. */
  excessMinor: bigint
  reason: string
  state: RefundState
  reference: string
  provider: string
  /** The account that carried the payment. */
  accountId: string
  providerRef: string | null
  /** The custody of the payment's money, which pays the refund. */
  custody: Custody
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

export interface RefundFilters {
  /** The wire status; `processing` covers every open state. */
  status: 'processing' | 'completed' | 'failed' | undefined
  origin: RefundOrigin | undefined
  provider: string | undefined
  currency: string | undefined
  paymentId: string | undefined
  from: Date | undefined
  to: Date | undefined
}

export const isOpenRefund = (refund: Refund): boolean =>
  refund.state !== 'completed' && refund.state !== 'failed'
