import type { ProviderDeposit } from '../../../connectors/kit/accounts.ts'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { Database } from '../../../kernel/db/database.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { AttemptState } from '../../payments/lifecycle/rules.ts'
import type { EndedPaymentDeps } from '../../payments/supervision/settle-disputes.ts'
import type { DepositDeps } from '../../products/virtual-accounts/deposits/record.ts'

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

export interface OwnRefund {
  reference: string
  providerRef: string | null
  state: string
  /** An exception exists because the provider contradicts its outcome. */
  isRaised: boolean
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
  | 'deposit_taken_back'
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

/** A finding and the organisation that it concerns; the account's owner if no payment matches. */
export interface Difference {
  orgId: string
  finding: Finding
}

/** What a comparison counts and finds. Only findings are stored, because a provider may list millions of transactions. */
export interface Tally {
  /** How many transactions were compared, by organisation. */
  checked: Map<string, number>
  onDifference(difference: Difference): void
}

/** A comparison in progress. */
export interface Comparison {
  comparisonId: string
  since: Date
  /** Younger transactions may legitimately be on one side only. */
  until: Date
}

/** The account and how its rows are read: an account of the installation concerns every organisation. */
export interface ComparedAccount {
  account: Account
  connector: Connector
  inScope: Database['acrossOrgs']
}

export interface Reconciliation {
  provider: string
  since: Date
  checked: number
  /** Whose account it is. */
  custody: Custody
  /** At most the first 2,000. */
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

export type ReconciliationDeps = EndedPaymentDeps & DepositDeps
