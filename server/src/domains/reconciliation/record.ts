import type { ProviderDeposit } from '../../connectors/kit/accounts.ts'
import type { PaymentDeps } from '../payments/record.ts'
import type { AttemptState } from '../payments/rules.ts'
import type { DepositDeps } from '../virtual-accounts/deposits/record.ts'

export interface OwnAttempt {
  orgId: string
  paymentId: string
  reference: string
  providerRef: string | null
  state: AttemptState
  status: string
  direction: string
  amountMinor: bigint
  currency: string
  updatedAt: Date
}

/** An account at a provider, owned by an organisation or by the installation. */
export interface Account {
  ownerId: string
  accountId: string
  provider: string
}

export type FindingKind =
  | 'missing_here'
  | 'missing_there'
  | 'amount_differs'
  | 'state_differs'
  | 'deposit_missed'
  | 'reversal_missed'
  | 'refund_missed'

export interface Finding {
  kind: FindingKind
  reference: string
  paymentId: string | null
  summary: string
  /** The deposit to book, if it was missed. */
  deposit?: ProviderDeposit
}

/** One compared transaction and the organisation that it concerns; the account's owner if no payment matches. */
export interface Compared {
  orgId: string
  finding: Finding | undefined
}

export interface Reconciliation {
  provider: string
  since: Date
  checked: number
  findings: Finding[]
}

export interface RunFilters {
  provider: string | undefined
  status: string | undefined
}

/** One comparison of an account with its provider's list. */
export interface ReconciliationRun {
  orgId: string
  runId: string
  provider: string
  accountId: string
  origin: 'nightly' | 'requested'
  requestedBy: string | null
  since: Date
  status: 'completed' | 'failed'
  /** Null for a run that failed. */
  checked: number | null
  findings: number | null
  startedAt: Date
  finishedAt: Date
}

export type ReconciliationDeps = PaymentDeps & DepositDeps
