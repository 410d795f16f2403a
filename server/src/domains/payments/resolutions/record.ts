import type { Tx } from '../../../kernel/db/database.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'
import type { PollSchedule } from '../attempts/rules.ts'
import type { PaymentDeps } from '../record.ts'
import type { Fact } from '../lifecycle/rules.ts'

export const outcomes = ['completed', 'failed', 'returned'] as const
export type ResolvedOutcome = (typeof outcomes)[number]

/** What two people decided, and what they rely on. */
export interface Resolution {
  resolutionId: string
  paymentId: string
  /** One of the three is set: what was in doubt. */
  attemptNo: number | null
  legNo: number | null
  refundId: string | null
  outcome: ResolvedOutcome
  evidence: string
  providerReference: string | null
  proposedBy: string
  approvedBy: string
  createdAt: Date
}

/** What a resolution is about. It does not change between the proposal and the approval. */
export interface Subject {
  custody: Custody
  provider: string
  attemptNo?: number
  legNo?: number
  refundId?: string
}

export interface Doubt {
  pollSchedule: PollSchedule
  now: Date
  /** The provider has named another amount for the open attempt. */
  hasOtherAmount: boolean
}

/** Ramps depend on payments, so the part that knows legs is passed in. */
export interface LegResolver {
  /** The open leg that is in doubt; throws when there is none. */
  find(this: void, tx: Tx, orgId: string, paymentId: string): Promise<Subject & { legNo: number }>
  apply(
    this: void,
    tx: Tx,
    leg: { orgId: string; paymentId: string; legNo: number },
    decided: { resolutionId: string; fact: (providerRef: string | null) => Fact },
  ): Promise<void>
}

export interface ResolutionDeps extends PaymentDeps {
  changeControl: ChangeControl
  legResolver: LegResolver
}
