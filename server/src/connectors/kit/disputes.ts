import type { Money } from '../../lib/money/money.ts'

/** `warning`: the bank asks, and no money is at stake yet. The last three are final for their round. */
export const disputeStates = ['warning', 'needs_response', 'under_review', 'won', 'lost', 'accepted'] as const
export type DisputeState = (typeof disputeStates)[number]

export const disputeReasons = [
  'fraudulent',
  'not_received',
  'not_as_described',
  'duplicate',
  'credit_not_processed',
  'canceled',
  'incorrect_amount',
  'unrecognized',
  'authorization',
  'general',
] as const
export type DisputeReason = (typeof disputeReasons)[number]

/** One movement of the disputed money. The first withdraws it, the second returns it, and so on. */
export interface DisputeMove {
  amount: Money
  /** What the provider charges for a withdrawal, or gives back of that charge with a return. */
  cost?: Money | undefined
}

/** Every movement so far, or only where the money is now. */
export type DisputeFunds =
  | { moves: readonly DisputeMove[] }
  | { isWithdrawn: boolean; amount: Money | { decimal: string } }

/** What a provider reports about a dispute, by webhook or in answer to a question. */
export interface ProviderDispute {
  /** Unique per reported change, and equal if the same change is reported again. */
  dedupeKey: string
  /** The provider's id of the dispute. */
  providerRef: string
  /** Our reference of the attempt, or the provider's id of the payment where the message has only that. */
  payment: { reference: string } | { providerRef: string }
  /** Absent if the message does not contain it. */
  state?: DisputeState | undefined
  /** 2 after a second chargeback or a pre-arbitration case. */
  round: 1 | 2
  providerStatus: string
  reason: DisputeReason
  providerReason: string
  /** In the payment's currency if the provider names none. */
  amount: Money | { decimal: string }
  dueBy?: Date | undefined
  /** The provider's time of the change, where it is authentic; orders contradicting messages. */
  reportedAt?: Date | undefined
  funds?: DisputeFunds | undefined
  /** The provider has our evidence. */
  hasEvidence?: boolean | undefined
}

export interface DisputePage {
  disputes: ProviderDispute[]
  nextCursor: string | null
}

export const evidenceFields = [
  'product_description',
  'customer_name',
  'customer_email',
  'customer_phone',
  'customer_ip',
  'billing_address',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'service_date',
  'refund_policy',
  'access_log',
  'defense_reason',
  'notes',
] as const
export type EvidenceField = (typeof evidenceFields)[number]

export const filePurposes = [
  'receipt',
  'shipping_documentation',
  'service_documentation',
  'customer_communication',
  'customer_signature',
  'refund_policy',
  'other',
] as const
export type FilePurpose = (typeof filePurposes)[number]

export const evidenceFileTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const

/** Held in memory only while it is sent. */
export interface EvidenceFile {
  purpose: FilePurpose
  name: string
  contentType: (typeof evidenceFileTypes)[number]
  bytes: Buffer
}

export interface DisputeEvidence {
  texts: Readonly<Partial<Record<EvidenceField, string>>>
  files: readonly EvidenceFile[]
}

/** A dispute as its provider's calls need it. */
export interface DisputeSubject {
  providerRef: string
  /** Our UUIDv4: the idempotency key of the action. */
  reference: string
  amount: Money
  /** Our reference of the disputed attempt. */
  attemptReference: string
}

/** The results of submitting evidence or accepting, as those of a payment: only a clear refusal is one. */
export type DisputeOutcome =
  | { kind: 'accepted'; dispute?: ProviderDispute | undefined }
  | { kind: 'declined'; code: string; message: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export type DisputeInquiry =
  | { kind: 'found'; dispute: ProviderDispute }
  | { kind: 'not_found' }
  | { kind: 'unknown'; reason: string }

/** A reason code without an entry is `general`. */
export const reasonFrom = (table: Readonly<Record<string, DisputeReason>>, code: string): DisputeReason =>
  Object.hasOwn(table, code) ? (table[code] ?? 'general') : 'general'
