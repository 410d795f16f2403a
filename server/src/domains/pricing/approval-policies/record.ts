import type { Money } from '../../../lib/money/money.ts'

export interface ApprovalPolicy {
  currency: string
  payoutFromMinor: bigint
  /** The sum over the last 24 hours from which every payout needs approval. */
  dailyFromMinor: bigint | null
  /** The same for refunds, which do not wait where these are null. */
  refundFromMinor: bigint | null
  refundDailyFromMinor: bigint | null
}

export type OutflowKind = 'payout' | 'refund'

/** From which amount, and from which sum over the last 24 hours, one kind of outflow needs approval. */
export interface OutflowPolicy {
  kind: OutflowKind
  currency: string
  fromMinor: bigint
  dailyFromMinor: bigint | null
}

/** The two amounts of something that leaves the organisation. */
export interface Outflow {
  source: Money
  target: Money
}

/**
 * Why something needs a second person: its amount reaches a policy, no rate can convert it into the currency of one, or
 * the outflow of 24 hours reaches one.
 */
export interface ApprovalCause {
  kind: 'amount' | 'rate' | 'daily'
  policy: OutflowPolicy
}

/**
 * The daily limit of a policy, and the value of one minor unit of each currency in minor units of the policy's currency.
 * A currency that is not listed cannot be valued.
 */
export interface DailyLimit {
  policy: OutflowPolicy
  limitMinor: bigint
  weights: ReadonlyMap<string, string>
}
