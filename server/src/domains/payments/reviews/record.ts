import type { ApprovalCause } from '../../pricing/approval-policies/record.ts'
import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { Direction } from '../record.ts'
import type { Status } from '../lifecycle/rules.ts'
import type { Decision } from './rules.ts'

/** A payment that waits for its first or second approval. */
export interface AwaitingPayment {
  paymentId: string
  status: Status
  direction: Direction
  method: PaymentMethod
  country: string
  source: Money
  target: Money
  beneficiaryId: string | null
  clientReference: string | null
  description: string | null
  userId: string
  cause: ApprovalCause
  reviews: StoredReview[]
  createdAt: Date
}

export interface StoredReview {
  userId: string
  comments: string | null
  createdAt: Date
}

/** With what the caller may decide, and why they may not approve. */
export interface ReviewTask {
  payment: AwaitingPayment
  decisions: Decision[]
  reason: string | null
  /** The names of the members involved, by user id. */
  names: ReadonlyMap<string, string>
}
