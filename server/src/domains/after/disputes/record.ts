import type { CompiledQuery } from 'kysely'
import type {
  DisputeReason,
  DisputeState,
  EvidenceField,
  FilePurpose,
  ProviderDispute,
} from '../../../connectors/kit/disputes.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { PaymentDeps } from '../../payments/record.ts'
import type { ProviderAccount } from '../../providers/accounts/record.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'

export type DisputeAction = 'submit' | 'accept'

/** What people asked the provider to do, until its outcome is known. */
export interface PendingAction {
  action: DisputeAction
  /** `sending` past its deadline counts as unknown. */
  state: 'sending' | 'unknown'
  /** The idempotency key at the provider, and the id of the job that asks for the outcome. */
  reference: string
  userId: string
  startedAt: Date
}

export interface Dispute {
  orgId: string
  disputeId: string
  paymentId: string
  provider: string
  /** The account that carried the payment, and that alone may report on the dispute. */
  accountId: string
  custody: Custody
  providerRef: string
  state: DisputeState
  round: 1 | 2
  reason: DisputeReason
  providerReason: string
  providerStatus: string
  amountMinor: bigint
  currency: string
  dueBy: Date | null
  reportedAt: Date | null
  /** How many movements of the money are booked. */
  moves: number
  /** What the provider has withdrawn and not returned. */
  withdrawnMinor: bigint
  pending: PendingAction | null
  submittedAt: Date | null
  remindedAt: Date | null
  eventCount: number
  version: number
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
}

/** A booked movement of the disputed money; odd numbers withdraw it, even ones return it. */
export interface BookedMove {
  moveNo: number
  amountMinor: bigint
  currency: string
  /** The part of the amount that exceeds the payment, which is in suspense. */
  excessMinor: bigint
  costMinor: bigint
  costCurrency: string
  exchangedMinor: bigint | null
  exchangedCurrency: string | null
}

/** Evidence without its content. */
export interface EvidenceRow {
  evidenceId: string
  kind: 'text' | 'file'
  field: EvidenceField | FilePurpose
  fileName: string | null
  contentType: string | null
  sizeBytes: number
  userId: string
  createdAt: Date
}

export interface SealedEvidence extends EvidenceRow {
  contentSealed: Buffer
}

export interface DisputeView {
  dispute: Dispute
  moves: BookedMove[]
  evidence: EvidenceRow[]
}

/** A report of an account about a dispute, and how it is recorded. */
export interface DisputeReport {
  account: Pick<ProviderAccount, 'orgId' | 'accountId' | 'provider'>
  report: ProviderDispute
  /** Inserts the inbox row of the report, whose unique key makes a repeat fail. */
  inbox(orgId: string, paymentId: string | null, result: string): CompiledQuery
  /** It answers our inquiry, so a report without news is not recorded. */
  isAsked: boolean
}

export interface DisputeFilters {
  state: string | undefined
  provider: string | undefined
  paymentId: string | undefined
  dueBefore: Date | undefined
}

export type DisputeDeps = PaymentDeps

/** What the lists need in addition. */
export type ListDeps = Pick<DisputeDeps, 'db'> & { cursorKey: KeyRing }
