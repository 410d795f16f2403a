import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { MilestoneStatus, Split, SplitType } from './rules.ts'

export type ShareState = 'pending' | 'paying' | 'paid' | 'failed' | 'stuck'

/** What a party gets of a milestone whose disbursement has been ordered. */
export interface Share {
  partyId: string
  amountMinor: bigint
  state: ShareState
  paymentId: string
  tries: number
  retryAt: Date | null
  failureCode: string | null
  failureMessage: string | null
  /** A payout was written for it; what is refused before, and a book transfer, has none. */
  hasPayment: boolean
  /** An earlier try that had failed was completed by its provider after all, at the organisation's expense. */
  isPaidLate: boolean
}

export interface Milestone {
  orgId: string
  escrowId: string
  milestoneId: string
  currency: string
  label: string
  description: string | null
  sequence: number
  expectedMinor: bigint
  coveredMinor: bigint
  status: MilestoneStatus
  dueDate: string | null
  contractReference: string | null
  contractUrl: string | null
  contractSubmittedAt: Date | null
  disbursedAt: Date | null
  orderedBy: unknown
  eventCount: number
  createdAt: Date
  updatedAt: Date
  /** In the order of party ids, as are the shares. */
  splits: Split[]
  shares: Share[]
}

export interface SplitUpdate {
  party_id: string
  split_value: number
  split_type?: SplitType | undefined
}

export interface NewMilestone {
  escrowId: string
  label: string
  expected: number
  description: string | null
  dueDate: string | null
  sequence: number | undefined
  parties: readonly SplitUpdate[]
}

export interface MilestoneChange {
  escrowId: string
  milestoneId: string
  label: string | undefined
  expected: number | undefined
  description: string | null | undefined
  dueDate: string | null | undefined
}

export interface MilestoneDeps {
  db: Database
  clock: Clock
}
