import type { Money } from '../../../lib/money/money.ts'

export const waitingKinds = [
  'payouts',
  'refunds',
  'change_requests',
  'resolutions',
  'ledger_adjustments',
  'batches',
  'exceptions',
  'disputes',
  'sanctions_matches',
] as const
type WaitingKind = (typeof waitingKinds)[number]

/** One thing that a member can do now, in the shape that all kinds share. */
export interface WaitingItem {
  /** The id of the payment, refund, change request, batch, exception, dispute or match. */
  id: string
  orgId: string
  summary: string
  amount: Money | null
  /** The person who requested it; null if there is none, as for an exception. */
  requestedBy: string | null
  dueBy: Date | null
  createdAt: Date
}

export type Waiting = Record<WaitingKind, WaitingItem[]>
