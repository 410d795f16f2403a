import { describe, expect, test } from 'vitest'
import type { Transaction } from '@switchyard/simulator/core/transaction.ts'
import type { AttemptRow, Evidence, PaymentRow } from './evidence.ts'
import { quietChecks, standingChecks } from './invariants.ts'

const at = new Date('2026-11-01T10:00:00Z')
const payment: PaymentRow = {
  orgId: 'org',
  paymentId: 'p',
  status: 'completed',
  isTakenBack: false,
  direction: 'inbound',
  provider: 'pawapay',
  clientReference: 'order',
  createdAt: at,
  updatedAt: at,
}
const attempt: AttemptRow = {
  paymentId: 'p',
  attemptNo: 1,
  provider: 'pawapay',
  reference: 'a',
  state: 'succeeded',
  outcomeCode: null,
  outcomeMessage: null,
  createdAt: at,
  knownAt: null,
}
const accepted = {
  kind: 'charge',
  reference: 'a',
  provider: 'pawapay',
  providerRef: 'x',
  at: at.toISOString(),
}
const transaction = (change: Partial<Transaction> = {}): Transaction => ({
  provider: 'pawapay',
  account: 'default',
  operation: 'collect',
  reference: 'a',
  providerRef: 'x',
  method: 'mobile_money',
  amount: '50',
  currency: 'KES',
  state: 'completed',
  webhooks: 'once',
  plan: [],
  details: {},
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
  ...change,
})

/** A successful payment, which each test modifies. */
const evidence = (change: Partial<Evidence> = {}): Evidence => ({
  payments: [payment],
  attempts: [attempt],
  refunds: [],
  disputes: [],
  theirDisputes: new Map(),
  bulk: { batches: [], rows: [], payments: [] },
  events: [],
  deliveries: [],
  exceptions: [],
  outbox: [],
  acceptances: [accepted],
  transactions: new Map([['a', transaction()]]),
  histories: new Map([['a', new Set(['pending', 'completed'])]]),
  providerBalances: new Map([['pawapay KES', 5_000n]]),
  processedTwice: [],
  rewrittenEntries: [],
  received: [],
  ...change,
})

const broken = (change: Partial<Evidence>): string[] => [
  ...new Set(
    [...standingChecks, ...quietChecks]
      .flatMap((check) => check(evidence(change)))
      .map(({ invariant }) => invariant),
  ),
]

test('a successful payment violates nothing', () => {
  expect(broken({})).toEqual([])
})

describe('is found', () => {
  const second: AttemptRow = { ...attempt, attemptNo: 2, reference: 'b' }
  const other = { ...accepted, reference: 'b', provider: 'paystack' }

  test.each<[string, string, Partial<Evidence>]>([
    [
      'two accepted charges',
      'I2',
      { attempts: [{ ...attempt, state: 'declined' }, second], acceptances: [accepted, other] },
    ],
    ['two payments for one order', 'I2', { payments: [payment, { ...payment, paymentId: 'q' }] }],
    [
      'two open attempts',
      'I3',
      {
        attempts: [
          { ...attempt, state: 'unknown' },
          { ...second, state: 'sending' },
        ],
      },
    ],
    ['a charge without an attempt', 'I4', { acceptances: [accepted, { ...accepted, reference: 'nobody' }] }],
    [
      'a charge before its attempt was stored',
      'I4',
      { acceptances: [{ ...accepted, at: new Date(at.getTime() - 2).toISOString() }] },
    ],
    ['a fallback while unknown', 'I5', { attempts: [{ ...attempt, state: 'unknown' }, second] }],
    ['an entry that was changed', 'I7', { rewrittenEntries: ['UPDATE x'] }],
    [
      'a balance that the provider does not have',
      'I7',
      { providerBalances: new Map([['pawapay KES', 4_999n]]) },
    ],
    ['a failure that the provider does not know of', 'I10', { payments: [{ ...payment, status: 'failed' }] }],
    ['a webhook that was processed twice', 'I10', { processedTwice: [{ paymentId: 'p', dedupeKey: 'x' }] }],
    [
      'a person told of what never happened',
      'I10',
      { exceptions: [{ paymentId: 'p', kind: 'late_success' }] },
    ],
    ['a job that nobody runs', 'I15', { outbox: [{ service: 'Payments', attempts: 3, isDue: true }] }],
    [
      'an outcome that stays unknown',
      'I15',
      { payments: [{ ...payment, status: 'processing' }], attempts: [{ ...attempt, state: 'unknown' }] },
    ],
  ])('%s', (_what, invariant, change) => {
    expect(broken(change)).toContain(invariant)
  })
})

describe('when a lost answer leaves nothing to poll with', () => {
  const unknownAt = (provider: string): Partial<Evidence> => ({
    payments: [{ ...payment, status: 'processing' }],
    attempts: [{ ...attempt, provider, state: 'unknown' }],
    transactions: new Map([['a', transaction({ provider })]]),
    providerBalances: new Map(),
  })

  test.each(['adyen', 'mpesa', 'truelayer'])('%s: it is left to people', (provider) => {
    expect(broken(unknownAt(provider))).toEqual([])
  })

  const acceptedAt = (provider: string): Partial<Evidence> => ({
    ...unknownAt(provider),
    attempts: [{ ...attempt, provider, state: 'accepted' }],
  })

  test('adyen: so is what it accepted, because it has no lookup at all', () => {
    expect(broken(acceptedAt('adyen'))).toEqual([])
  })

  test.each(['mpesa', 'truelayer', 'stripe'])('%s can be asked about what it accepted', (provider) => {
    expect(broken(acceptedAt(provider))).toEqual(expect.arrayContaining(['I7', 'I10']))
  })

  test.each(['flutterwave', 'pawapay', 'paystack', 'stripe'])('%s can be asked', (provider) => {
    expect(broken(unknownAt(provider))).toEqual(expect.arrayContaining(['I7', 'I10', 'I15']))
  })
})
