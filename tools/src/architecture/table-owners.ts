/**
 * Each table and the folder under server/src whose stores name it in SQL. Everybody else calls the owner's operations.
 */
export const tableOwners: Readonly<Record<string, string>> = {
  api_keys: 'domains/api-keys',
  approval_policies: 'domains/approval-policies',
  attempts: 'domains/payments',
  audit_log: 'domains/audit-log',
  balance_fold_progress: 'ledger',
  balance_folds: 'ledger',
  banks: 'domains/banks',
  beneficiaries: 'domains/beneficiaries',
  change_controls: 'domains/change-requests',
  change_requests: 'domains/change-requests',
  country_rollups: 'domains/analytics',
  credit_limits: 'domains/balances',
  data_keys: 'db',
  deliveries: 'domains/webhooks',
  delivery_attempts: 'domains/webhooks',
  dispute_evidence: 'domains/disputes',
  dispute_moves: 'domains/disputes',
  disputes: 'domains/disputes',
  escrow_fundings: 'domains/escrow',
  escrow_milestones: 'domains/escrow',
  escrow_parties: 'domains/escrow',
  escrow_shares: 'domains/escrow',
  escrow_splits: 'domains/escrow',
  escrows: 'domains/escrow',
  events: 'domains/webhooks',
  exception_notes: 'domains/exceptions',
  exceptions: 'domains/exceptions',
  fee_schedules: 'domains/fees',
  guarded_balances: 'ledger',
  idempotency_keys: 'http/idempotency',
  idempotent_calls: 'http/idempotency',
  inbox: 'domains/provider-webhooks',
  inquiries: 'domains/payments',
  invitations: 'domains/organizations',
  kyb_inbox: 'domains/kyb',
  ledger_adjustments: 'domains/ledger-adjustments',
  ledger_transfers: 'ledger',
  mail_budgets: 'domains/notifications',
  market_rates: 'domains/rates',
  members: 'domains/organizations',
  networks: 'domains/networks',
  notifications: 'domains/notifications',
  organizations: 'domains/organizations',
  outbox: 'engine',
  payment_deltas: 'domains/analytics',
  payment_links: 'domains/payment-links',
  payment_rollups: 'domains/analytics',
  payments: 'domains/payments',
  payout_batch_rows: 'domains/payout-batches',
  payout_batches: 'domains/payout-batches',
  provider_accounts: 'domains/provider-accounts',
  provider_configs: 'domains/provider-configs',
  provider_credentials: 'domains/provider-accounts',
  ramp_legs: 'domains/ramps',
  ramps: 'domains/ramps',
  rate_quotes: 'domains/rates',
  reconciliation_runs: 'domains/reconciliation',
  refunds: 'domains/payments',
  resolutions: 'domains/payments',
  review_requests: 'domains/payments',
  reviews: 'domains/payments',
  screened_addresses: 'domains/ramps',
  sessions: 'domains/sessions',
  suspended_deposits: 'domains/virtual-accounts',
  verification_requests: 'domains/verification-requests',
  virtual_accounts: 'domains/virtual-accounts',
  virtual_transactions: 'domains/virtual-accounts',
  wallet_decisions: 'wallet',
  wallet_deposit_addresses: 'wallet',
  wallet_deposits: 'wallet',
  wallet_nonces: 'wallet',
  wallet_transactions: 'wallet',
  wallet_transfers: 'wallet',
  webhooks: 'domains/webhooks',
}

type DeclaredReader = {
  /** A folder or a file under server/src. */
  readonly reader: string
  readonly tables: readonly string[] | 'all'
  readonly why: string
}

/** Those who may read another owner's table. They never write to it. */
export const declaredReaders: readonly DeclaredReader[] = [
  {
    reader: 'domains/payments/timeline',
    tables: ['disputes', 'events', 'exceptions', 'inbox', 'ledger_adjustments', 'ledger_transfers'],
    why: 'a timeline shows what every part recorded about one payment',
  },
  {
    reader: 'domains/analytics',
    tables: ['members', 'payments'],
    why: 'trends and geography aggregate the rows of other domains in one statement',
  },
  {
    reader: 'domains/balances',
    tables: ['payments', 'refunds'],
    why: 'a balance splits its holds by whether a provider has the payment, in one statement with the holds',
  },
  {
    reader: 'domains/ledger-transfers',
    tables: ['disputes', 'exceptions', 'ledger_adjustments', 'ledger_transfers', 'refunds'],
    why: 'the transfers of a payment are those of everything that it caused, in one statement',
  },
  {
    reader: 'domains/reconciliation',
    tables: [
      'attempts',
      'inbox',
      'payments',
      'provider_accounts',
      'ramp_legs',
      'refunds',
      'virtual_accounts',
    ],
    why: 'it compares the records of every domain with the statements of providers',
  },
  {
    reader: 'ledger/audit',
    tables: 'all',
    why: 'the audit holds the postings against the records that caused them',
  },
  {
    reader: 'domains/api-keys',
    tables: ['members', 'organizations'],
    why: 'every request authenticates with one statement: the key, its member and the features of the organization',
  },
  {
    reader: 'domains/sessions',
    tables: ['members', 'organizations'],
    why: 'every request of the dashboard authenticates with one statement, as one with an API key does',
  },
]

/** Those who put a table's name into SQL at run time, where the rule cannot see it. */
export const dynamicTables: readonly { readonly path: string; readonly why: string }[] = [
  { path: 'domains/data-keys/store.ts', why: 'resealing rewrites every sealed column after a rotation' },
  {
    path: 'domains/webhooks/store.ts',
    why: 'an event may take fields from a common table expression of the statement that causes it',
  },
  { path: 'ledger/audit', why: 'each check names the table whose rows it counts' },
  {
    path: 'engine/outbox.ts',
    why: 'a statement may queue a job for each row of its common table expression',
  },
]
