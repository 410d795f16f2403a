import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ApprovalPolicySource } from '../../pricing/approval-policies/check-approval.ts'
import type { FeeScheduleSource } from '../../pricing/fees/record.ts'
import type { RoutingDeps } from '../../payments/initiation/choose-route.ts'
import type { IndependenceDeps } from '../../people/empowerments/reads.ts'
import type { PaymentOutcome } from '../../payments/reads/outcomes/record.ts'
import type { BatchStatus, RowState } from './rules.ts'

export interface BatchIds {
  orgId: string
  batchId: string
}

/** What a batch asks for in one currency. */
export interface BatchTotal {
  currency: string
  rows: number
  amountMinor: bigint
  feeMinor: bigint
}

export interface Batch extends BatchIds {
  /** Of its rows. */
  fingerprint: Buffer
  status: BatchStatus
  description: string | null
  rowCount: number
  totals: BatchTotal[]
  orderedBy: unknown
  createdBy: string
  /** Who approved it first; the second approval decides. */
  reviewedBy: string | null
  /** Who approved it in the end, or rejected it; null if no approval was needed. */
  decidedBy: string | null
  comments: string | null
  /** Why the engine paused it; null when a person did. */
  pause: { code: string; message: string } | null
  eventCount: number
  /** When no row was left to send. */
  sentAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A row that has passed every check. */
export interface NewRow {
  rowNo: number
  paymentId: string
  clientReference: string
  beneficiaryId: string
  beneficiaryUpdatedAt: Date
  country: string
  method: PaymentMethod
  amount: Money
  description: string | null
}

export interface BatchRow extends NewRow {
  state: RowState
  failure: { code: string; message: string } | null
}

/** A row with what became of its payment, once it has one. */
export interface RowResult extends BatchRow {
  outcome: PaymentOutcome | undefined
}

/** The row's number counts from 1 and leaves out the header of a CSV. */
export interface RowError {
  row: number
  field: string
  message: string
}

export interface CheckedRows {
  rows: NewRow[]
  /** The first ones; a file of another kind has more than anybody reads. */
  errors: RowError[]
  errorCount: number
  wrongRows: number
  totals: BatchTotal[]
}

export interface BatchDeps extends Pick<RoutingDeps, 'connectors' | 'corridors'>, IndependenceDeps {
  clock: Clock
  cursorKey: KeyRing
  approvalPolicies: ApprovalPolicySource
  feeSchedules: FeeScheduleSource
}
