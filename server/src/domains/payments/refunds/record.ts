import type { Custody } from '../../../kernel/ledger/available.ts'

/** `awaiting_approval`: nothing was sent, and its amount is held. */
export type RefundState = 'awaiting_approval' | 'sending' | 'unknown' | 'accepted' | 'completed' | 'failed'

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
  /** Minor units of the debit's currency for one minor unit of the refund; null if the payment's own rate counts. */
  marketRate: string | null
  /** What the market rate makes it cost more than the payment's own rate; negative if it costs less. */
  differenceMinor: bigint
  /** The part that exceeds what was left of the payment, and is in suspense. Known once it is completed. */
  excessMinor: bigint
  reason: string
  state: RefundState
  /** Why it had to wait for approval; null if it did not. */
  approvalReason: string | null
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
  /** When we began to send it, which for one that waited is its approval. */
  begunAt: Date
  createdAt: Date
  updatedAt: Date
}

export interface RefundFilters {
  /** The wire status; `processing` covers every state between sending and the end. */
  status: 'awaiting_approval' | 'processing' | 'completed' | 'failed' | undefined
  origin: RefundOrigin | undefined
  provider: string | undefined
  currency: string | undefined
  paymentId: string | undefined
  from: Date | undefined
  to: Date | undefined
}

/** What the balance pays for it in all. */
export const costMinor = ({
  debitMinor,
  differenceMinor,
}: Pick<Refund, 'debitMinor' | 'differenceMinor'>): bigint => debitMinor + differenceMinor

export const isEndedRefund = ({ state }: Refund): boolean => state === 'completed' || state === 'failed'

export const isWaitingRefund = ({ state }: Refund): boolean => state === 'awaiting_approval'

/** It was sent, or may have been, and has not ended. */
export const isOpenRefund = (refund: Refund): boolean => !isEndedRefund(refund) && !isWaitingRefund(refund)

export interface RefundReview {
  userId: string
  decision: 'approve' | 'reject'
  comments: string | null
  createdAt: Date
}

/** A refund that waits, with what the caller may decide and why they may not approve it. */
export interface RefundTask {
  refund: Refund
  reviews: RefundReview[]
  decisions: ('approve' | 'reject')[]
  reason: string | null
  /** The names of the members involved, by user id. */
  names: ReadonlyMap<string, string>
}
