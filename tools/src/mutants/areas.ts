import type { MutatedFile } from './run-trials.ts'

export interface Area {
  name: string
  files: readonly MutatedFile[]
  /** How many mutants are drawn from the files that need a database; all of them where it is missing. */
  sampleSize?: number
}

const server = 'server/src'
const payments = `${server}/domains/payments`
const connectors = `${server}/connectors`
const after = `${server}/domains/after`
const batches = `${server}/domains/products/payout-batches`
const ramps = `${server}/domains/products/ramps`
const links = `${server}/domains/parties/payment-links`

/** A file and the tests that are to notice its mutants, both beneath one folder. */
const tested = (folder: string, file: string, ...tests: string[]): MutatedFile => ({
  path: `${folder}/${file}`,
  testFiles: tests.map((test) => `${folder}/${test}`),
  needsDatabase: false,
  mutates: 'code',
})

/** Its tests start from a copy of the migrated database, so each of its mutants takes seconds. */
const onDatabase = (file: MutatedFile): MutatedFile => ({ ...file, needsDatabase: true })

const onStore = (folder: string, ...tests: string[]): MutatedFile => ({
  ...onDatabase(tested(folder, 'store.ts', ...tests)),
  mutates: 'sql',
})

const refundTests = [
  `${payments}/refunds/refund-answers.test.ts`,
  `${payments}/refunds/settle-refunds.test.ts`,
  `${payments}/refunds/refund-payment.test.ts`,
  `${payments}/refunds/approval.test.ts`,
  `${payments}/refunds/exchanged.test.ts`,
  `${after}/provider-webhooks/refunded-elsewhere.test.ts`,
  `${payments}/refunds/routes.test.ts`,
]

export const areas: readonly Area[] = [
  {
    name: 'money',
    files: [
      tested(`${server}/lib/money`, 'money.ts', 'money.test.ts'),
      tested(`${server}/lib/money`, 'decimal.ts', 'decimal.test.ts'),
    ],
  },
  {
    name: 'payment rules and facts',
    files: [
      tested(`${payments}/lifecycle`, 'rules.ts', 'rules.test.ts', 'decide.test.ts'),
      tested(payments, 'record.ts', 'record.test.ts'),
      tested(`${payments}/lifecycle`, 'plan-change.ts', 'plan-change.test.ts'),
      tested(`${payments}/attempts`, 'rules.ts', 'rules.test.ts'),
      tested(
        `${payments}/attempts`,
        'plan-fact.ts',
        'plan-fact.test.ts',
        'plan-fact-writes.test.ts',
        'plan-fact-doubts.test.ts',
      ),
      tested(`${payments}/attempts`, 'read-inquiry.ts', 'read-inquiry.test.ts'),
      tested(`${payments}/attempts`, 'prepare-attempt.ts', 'next-route.test.ts'),
      tested(`${payments}/refunds`, 'rules.ts', 'rules.test.ts'),
    ],
  },
  {
    name: 'custody and four eyes',
    files: [
      tested(`${server}/domains/providers/accounts`, 'rules.ts', 'rules.test.ts'),
      tested(`${server}/domains/pricing/approval-policies`, 'rules.ts', 'rules.test.ts'),
      tested(`${server}/domains/people/change-requests`, 'rules.ts', 'rules.test.ts'),
      tested(`${server}/domains/after/ledger-adjustments`, 'rules.ts', 'rules.test.ts'),
      tested(`${payments}/reviews`, 'rules.ts', 'rules.test.ts'),
      tested(`${payments}/resolutions`, 'rules.ts', 'rules.test.ts'),
      onDatabase(tested(`${payments}/initiation`, 'check-outflow.ts', 'check-outflow.test.ts')),
    ],
  },
  {
    name: 'webhook signatures',
    files: [
      tested(`${server}/domains/events/webhooks`, 'rules.ts', 'rules.test.ts'),
      tested('sdk/src', 'verify-webhook.ts', 'verify-webhook.test.ts', 'webhooks.test.ts'),
    ],
  },
  {
    name: 'ledger',
    files: [
      tested(`${payments}/lifecycle`, 'build-postings.ts', 'build-postings.test.ts'),
      tested(`${payments}/lifecycle`, 'build-fee-postings.ts', 'build-postings.test.ts'),
      tested(`${payments}/refunds`, 'build-refund-postings.ts', 'build-refund-postings.test.ts'),
      tested(`${payments}/attempts`, 'post-cost.ts', 'next-route.test.ts'),
      tested(`${server}/domains/pricing/fees`, 'rules.ts', 'rules.test.ts'),
      tested(`${server}/kernel/ledger`, 'transfers.ts', 'chart.test.ts'),
      onDatabase(tested(`${server}/kernel/ledger`, 'available.ts', 'refusals.test.ts', 'available.test.ts')),
      onDatabase(tested(`${server}/kernel/ledger`, 'guarded.ts', 'refusals.test.ts', 'guarded.test.ts')),
      onDatabase(tested(`${server}/kernel/ledger`, 'balances.ts', 'balances.test.ts')),
      onDatabase(tested(`${server}/kernel/ledger`, 'audit.ts', 'audit-report.test.ts', 'audit.test.ts')),
    ],
  },
  {
    name: 'refunds',
    sampleSize: 60,
    files: [
      'refund-payment.ts',
      'apply-refund-fact.ts',
      'book-refund.ts',
      'advance-refund.ts',
      'settle-refunds.ts',
    ].map((file) => onDatabase({ ...tested(`${payments}/refunds`, file), testFiles: refundTests })),
  },
  {
    name: 'connectors',
    files: [
      tested(
        `${connectors}/paystack`,
        'mapping.ts',
        'costs-and-actions.test.ts',
        'mapping.test.ts',
        'webhook.test.ts',
      ),
      tested(`${connectors}/paystack`, 'refund.ts', 'refund.test.ts'),
      tested(`${connectors}/flutterwave`, 'mapping.ts', 'mapping.test.ts'),
      tested(`${connectors}/flutterwave`, 'chargebacks.ts', 'chargebacks.test.ts'),
      tested(`${connectors}/adyen`, 'disputes.ts', 'disputes.test.ts'),
    ],
  },
  {
    name: 'batches',
    sampleSize: 60,
    files: [
      tested(batches, 'rules.ts', 'rules.test.ts'),
      ...[
        'advance-batch.ts',
        'change-batch.ts',
        'check-batch-approval.ts',
        'pay-row.ts',
        'review-batch.ts',
      ].map((file) =>
        onDatabase(tested(batches, file, 'orders.test.ts', 'review-batch.test.ts', 'send-batch.test.ts')),
      ),
    ],
  },
  {
    name: 'disputes',
    sampleSize: 60,
    files: [
      tested(`${after}/disputes`, 'rules.ts', 'rules.test.ts'),
      ...[
        'apply-outcome.ts',
        'apply-report.ts',
        'build-postings.ts',
        'change-sums.ts',
        'receive-report.ts',
      ].map((file) =>
        onDatabase(
          tested(
            `${after}/disputes`,
            file,
            'build-postings.test.ts',
            'apply-report.test.ts',
            'reports.test.ts',
            'responses.test.ts',
            'paths.test.ts',
          ),
        ),
      ),
    ],
  },
  {
    name: 'stores',
    sampleSize: 60,
    files: [
      onStore(
        batches,
        'store.test.ts',
        'create-batch.test.ts',
        'send-batch.test.ts',
        'duplicate-batch.test.ts',
      ),
      onStore(
        `${payments}/refunds`,
        'store.test.ts',
        'refund-payment.test.ts',
        'list-refunds.test.ts',
        'routes.test.ts',
      ),
      onStore(`${after}/disputes`, 'store.test.ts', 'responses.test.ts', 'reports.test.ts'),
      onStore(links, 'store.test.ts', 'routes.test.ts', 'workflow.test.ts'),
    ],
  },
  {
    name: 'reconciliation',
    sampleSize: 60,
    files: [
      tested(`${after}/reconciliation`, 'rules.ts', 'rules.test.ts'),
      ...['compare-account.ts', 'match-refunds.ts', 'match-transactions.ts', 'review-older.ts'].map((file) =>
        onDatabase(
          tested(
            `${after}/reconciliation`,
            file,
            'compare-account.test.ts',
            'routes.test.ts',
            'older.test.ts',
            'refunds-elsewhere.test.ts',
          ),
        ),
      ),
    ],
  },
  {
    name: 'ramps',
    sampleSize: 60,
    files: [
      tested(ramps, 'rules.ts', 'rules.test.ts', 'decide-leg.test.ts'),
      tested(ramps, 'build-postings.ts', 'build-postings.test.ts'),
      tested(ramps, 'plan-leg.ts', 'plan-leg.test.ts'),
      tested(ramps, 'build-effects.ts', 'build-effects.test.ts'),
      onDatabase(tested(ramps, 'apply-leg-fact.ts', 'routes.test.ts', 'failures.test.ts', 'refused.test.ts')),
    ],
  },
  {
    name: 'payment links',
    sampleSize: 60,
    files: [
      tested(links, 'rules.ts', 'rules.test.ts'),
      ...['claim-link.ts', 'create-link.ts', 'expire-links.ts', 'write-link.ts'].map((file) =>
        onDatabase(tested(links, file, 'routes.test.ts', 'workflow.test.ts')),
      ),
    ],
  },
]
