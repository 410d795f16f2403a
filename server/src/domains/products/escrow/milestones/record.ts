import type { Escrow } from '../record.ts'
import type { MilestoneStatus, Split, SplitType } from './rules.ts'

type ShareState = 'pending' | 'paying' | 'paid' | 'failed' | 'stuck'

/** The amount owed to a party of a milestone once its disbursement has been ordered. */
export interface StoredShare {
  partyId: string
  amountMinor: bigint
  state: ShareState
  paymentId: string
  tries: number
  retryAt: Date | null
  failureCode: string | null
  failureMessage: string | null
  /** The payment ids of earlier attempts to pay the share. */
  triedPaymentIds: string[]
}

export interface Share extends StoredShare {
  /** A payout exists for it. Book transfers, and payouts refused before they started, have none. */
  hasPayment: boolean
  /** An attempt that had failed was completed by its provider after all, at the organisation's expense. */
  isPaidLate: boolean
}

export interface StoredMilestone {
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
  /** Splits and shares are both in the order of party ids. */
  splits: Split[]
  shares: StoredShare[]
}

export interface Milestone extends StoredMilestone {
  shares: Share[]
}

/** An escrow with all of its milestones, in sequence. */
export interface OpenEscrow {
  escrow: Escrow
  milestones: Milestone[]
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
