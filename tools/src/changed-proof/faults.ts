/** One wrong line, as an edit of an afternoon may leave it. */
export type Fault = {
  readonly path: string
  /** Occurs once in the file. */
  readonly original: string
  readonly replacement: string
  /** What is wrong with it, for the report. */
  readonly effect: string
}

const domains = 'server/src/domains'

/** Twenty places: pure rules, operations, SQL, a migration, connectors, the simulator, screens, pages, the clients. */
export const faults: readonly Fault[] = [
  {
    path: `${domains}/products/escrow/fund-escrow.ts`,
    original: 'addedMinor: amountMinor, at }',
    replacement: 'addedMinor: amountMinor - 1n, at }',
    effect: 'a funded milestone lacks one minor unit',
  },
  {
    path: `${domains}/pricing/fees/rules.ts`,
    original: '+ millionth / 2n)',
    replacement: ')',
    effect: 'fees are rounded down',
  },
  {
    path: 'simulator/src/protocols/stripe/refunds.ts',
    original: 'minorOf(payment) - refundedMinorOf(kit, payment)',
    replacement: 'minorOf(payment)',
    effect: 'the simulated Stripe refunds a charge twice',
  },
  {
    path: 'dashboard/src/ui/money.tsx',
    original: '{currency}</span>',
    replacement: '</span>',
    effect: 'amounts are shown without their currency',
  },
  {
    path: 'server/src/lib/money/money.ts',
    original: 'formatScaled(amountMinor, exponentOf(currency))',
    replacement: 'formatScaled(amountMinor, 2)',
    effect: 'every currency is shown with two decimals',
  },
  {
    path: 'server/src/kernel/ledger/available.ts',
    original: "  'dispute.%',\n",
    replacement: '',
    effect: 'a dispute that the balance does not cover is refused',
  },
  {
    path: 'server/src/http/idempotency/find-first-call.ts',
    original: 'if (!equalInConstantTime(first.requestHash, requestHash)) throw keyUsedForAnotherRequest()',
    replacement: '',
    effect: 'another request with the same key gets the first response',
  },
  {
    path: 'server/src/http/auth/access.ts',
    original: '!caller.permissions.has(access.permission)',
    replacement: 'caller.permissions.size === 0',
    effect: 'any member may do everything',
  },
  {
    path: 'server/src/connectors/pawapay/mapping.ts',
    original: "if (failureCode === 'MANUALLY_CANCELLED') return { state: 'canceled' }",
    replacement: '',
    effect: 'a canceled payment of pawaPay is reported as failed',
  },
  {
    path: `${domains}/payments/refunds/rules.ts`,
    original: "return state === 'accepted' ? { state } : { state: 'failed', failure: notSent }",
    replacement: "return { state: 'failed', failure: notSent }",
    effect: 'a refund that the provider has accepted fails',
  },
  {
    path: `${domains}/parties/beneficiaries/store.ts`,
    original: ".orderBy('created_at', 'desc').orderBy('beneficiary_id', 'desc')",
    replacement: ".orderBy('created_at', 'asc').orderBy('beneficiary_id', 'desc')",
    effect: 'beneficiaries are listed oldest first',
  },
  {
    path: 'server/migrations/0009_parties.sql',
    original: "'bank', 'mobile_money', 'wallet'",
    replacement: "'bank', 'wallet'",
    effect: 'the table refuses beneficiaries with mobile money',
  },
  {
    path: `${domains}/events/webhooks/rules.ts`,
    original: 'Math.floor(at.getTime() / 1000)',
    replacement: 'at.getTime()',
    effect: 'webhooks are signed with milliseconds',
  },
  {
    path: `${domains}/people/api-keys/authenticate-api-key.ts`,
    original: '!found || found.revokedAt ||',
    replacement: '!found ||',
    effect: 'a revoked key still works',
  },
  {
    path: `${domains}/products/payout-batches/rules.ts`,
    original: 'rows.toSorted((a, b) => (a.clientReference < b.clientReference ? -1 : 1))',
    replacement: 'rows',
    effect: 'the same batch in another order is not recognised',
  },
  {
    path: `${domains}/routing/policies/rules.ts`,
    original: 'a.key - b.key',
    replacement: 'b.key - a.key',
    effect: 'the worst route is preferred',
  },
  {
    path: `${domains}/pricing/approval-policies/rules.ts`,
    original: '.gte(candidate.fromMinor.toString())',
    replacement: '.gt(candidate.fromMinor.toString())',
    effect: 'a payout of exactly the limit needs no approval',
  },
  {
    path: 'dashboard/src/screens/payment/possible-actions.ts',
    original: "if (direction !== 'inbound') return reasons.onlyPayins",
    replacement: '',
    effect: 'the dashboard offers to refund a payout',
  },
  {
    path: 'sdk/src/retry.ts',
    original: ' || status === 503)',
    replacement: ')',
    effect: 'the SDK does not retry when the server is busy',
  },
  {
    path: 'checkout/src/format.ts',
    original: 'value < 1 && value > 0',
    replacement: 'value < 0',
    effect: 'the payment page shows a rate below one as it is',
  },
]
