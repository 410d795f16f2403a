import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { LineageSource } from '../empowerments/record.ts'

export const changeKinds = [
  'approval-policies.set',
  'credit-limits.set',
  'fee-schedule.create',
  'fee-schedule.retire',
  'organization.terms',
  'deposit.assign',
  'member.add',
  'member.invite',
  'member.update',
  'member.remove',
  'member.permissions',
  'provider-credentials.store',
  'beneficiary.update',
  'organization.cards',
  'routing-policy.publish',
  'payment.resolve',
  'refund.resolve',
  'ledger.adjust',
  'suspension.lift',
  'person.erase',
  'sanctions-match.clear',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** Who decides: another administrator, or the operator if the installation's accounts hold the money. */
export type Approver = 'administrator' | 'operator'

export type ChangeStatus = 'pending' | 'approved' | 'rejected' | 'canceled' | 'expired'

/** A change that weakens control and waits for a second person, or waited. */
export interface ChangeRequest {
  orgId: string
  requestId: string
  kind: ChangeKind
  /** What the request would change, without secrets and account numbers: those are sealed. */
  payload: unknown
  payloadSealed: Buffer | null
  summary: string
  approver: Approver
  status: ChangeStatus
  requestedBy: string
  /** The first of two operators who agree to what creates or releases pooled money. */
  reviewedBy: string | null
  decidedBy: string | null
  comments: string | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

export interface NewChange {
  orgId: string
  kind: ChangeKind
  payload: unknown
  /** Stored encrypted, and shown to nobody. */
  secret?: unknown
  /** The person that the secret is about, with whose data it is erased. */
  subject?: string
  /** One sentence for the second person. */
  summary: string
  /** An administrator by default. */
  approver?: Approver
}

/** The outcome of an operation that may have to wait for a second person. */
export type MaybeHeld<Done> = { held: ChangeRequest } | { held?: undefined; done: Done }

/** Asked by every operation that may weaken control, in its own transaction. */
export interface ChangeControl {
  /** The request that waits for a second person; undefined when the change may be made at once. */
  hold(tx: Tx, caller: Caller, change: NewChange): Promise<ChangeRequest | undefined>
  /** Whether a change that weakens control would have to wait for a second person. */
  isControlled(tx: Tx, orgId: string): Promise<boolean>
  /**
   * For changes that always need two people, whatever the policies are. If the operator decides, the transaction has to see
   * every organisation, because the operator's members are notified.
   */
  propose(tx: Tx, caller: Caller, change: NewChange): Promise<ChangeRequest>
  /**
   * For changes by which the operator loosens something. They wait for a second operator, if there is one who is not
   * related to the caller. The transaction sees every organisation.
   */
  holdForOperators(
    tx: Tx,
    caller: Caller,
    change: Omit<NewChange, 'approver'>,
  ): Promise<ChangeRequest | undefined>
}

/** The request that was approved, with its secrets in clear text. */
export interface ApprovedChange extends Pick<NewChange, 'orgId' | 'payload' | 'secret'> {
  requestId: string
  requestedBy: string
}

/** Makes an approved change, in the transaction of the approval. */
export interface ChangeApplier {
  /** The tables that it changes belong to the operator, so its transaction sees every organisation. */
  isOperators?: boolean
  apply(tx: Tx, approver: Caller, change: ApprovedChange): Promise<void>
  /** Runs after the commit, to drop what this process has cached. */
  applied?(): void
}

export interface Administrator {
  userId: string
  email: string
  firstName: string
  country: string | null
}

export interface HoldDeps {
  clock: Clock
  lineage: LineageSource
  vault: Vault
  /** The domains that know these ask this one for approval, so they are passed in. */
  listAdministrators(this: void, tx: Tx, orgId: string): Promise<Administrator[]>
  /** Whether it is the operator's own organisation. */
  isOperators(this: void, tx: Tx, orgId: string): Promise<boolean>
  hasPolicies(this: void, tx: Tx, orgId: string): Promise<boolean>
  /** Asked in a transaction that sees every organisation. */
  listOperators(this: void, tx: Tx): Promise<(Administrator & { orgId: string })[]>
}

export interface ChangeRequestDeps extends HoldDeps {
  db: Database
  cursorKey: KeyRing
  changeAppliers: Readonly<Record<ChangeKind, ChangeApplier>>
}

export const changeContext = (requestId: string): string => `change request ${requestId}`
