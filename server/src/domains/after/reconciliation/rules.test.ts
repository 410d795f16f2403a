import { describe, expect, it } from 'vitest'
import type { ProviderTransaction } from '../../../connectors/kit/lists.ts'
import { isReversal, type AttemptState, type Status } from '../../payments/lifecycle/rules.ts'
import type { OwnAttempt } from './record.ts'
import { compare, missingHere, missingThere, startOfComparison } from './rules.ts'

const failure = { code: 'UNSPECIFIED', message: 'no' }
const reference = '0b0e7a5c-2f5e-4b57-9d5e-8f2f6f0a1c11'
const theirs = (change: Partial<ProviderTransaction> = {}): ProviderTransaction => ({
  reference,
  providerRef: 'TRX_1',
  direction: 'payin',
  amount: { amountMinor: 150_025n, currency: 'NGN' },
  providerStatus: 'success',
  state: { state: 'completed' },
  createdAt: new Date(0),
  ...change,
})
const ours = (state: AttemptState, status: Status, change: Partial<OwnAttempt> = {}): OwnAttempt => ({
  orgId: 'org',
  paymentId: 'payment',
  reference,
  providerRef: 'TRX_1',
  state,
  status,
  direction: 'inbound',
  amountMinor: 150_025n,
  currency: 'NGN',
  updatedAt: new Date(0),
  ...change,
})
const states: ProviderTransaction['state'][] = [
  { state: 'pending' },
  { state: 'processing' },
  { state: 'completed' },
  { state: 'canceled' },
  { state: 'failed', failure },
]

describe('where a comparison starts', () => {
  const now = new Date('2026-06-30T03:00:00Z')
  const startAfter = (lastGood: string): string => startOfComparison(now, new Date(lastGood)).toISOString()

  it('is yesterday after a good night', () => {
    expect(startAfter('2026-06-29T03:00:00Z')).toBe('2026-06-29T01:00:00.000Z')
    expect(startAfter('2026-06-30T02:00:00Z')).toBe('2026-06-29T01:00:00.000Z')
  })

  it('is the end of the last good one after a night or a week without one', () => {
    expect(startAfter('2026-06-28T03:00:00Z')).toBe('2026-06-28T01:00:00.000Z')
    expect(startAfter('2026-06-22T03:00:00Z')).toBe('2026-06-22T01:00:00.000Z')
  })

  it('is ninety days ago at most', () => {
    expect(startAfter('2025-01-01T00:00:00Z')).toBe('2026-04-01T03:00:00.000Z')
  })
})

describe('missingHere', () => {
  it('names the transaction by our reference, else by the provider’s', () => {
    const finding = missingHere(theirs())
    expect(finding).toMatchObject({ kind: 'missing_here', reference, paymentId: null })
    expect(finding.summary).toContain('1500.25 NGN')
    expect(missingHere(theirs({ reference: null })).reference).toBe('TRX_1')
  })
})

describe('compare', () => {
  it.each([
    { amountMinor: 150_024n, currency: 'NGN' },
    { amountMinor: 150_025n, currency: 'GHS' },
  ])('another amount or currency is found before any state', (amount) => {
    const finding = compare([theirs({ amount })], ours('accepted', 'pending'))
    expect(finding).toMatchObject({ kind: 'amount_differs', paymentId: 'payment' })
  })

  /** Attempt state and payment status, with the provider states that agree with them. */
  const agreeing: [AttemptState, Status, string[]][] = [
    ['sending', 'confirmed', ['pending', 'processing']],
    ['unknown', 'processing', ['pending', 'processing']],
    ['accepted', 'pending', ['pending', 'processing']],
    ['succeeded', 'completed', ['completed']],
    // The provider may have taken it back, or call it so because it was refunded.
    ['succeeded', 'refunded', ['completed', 'canceled', 'failed']],
    ['failed', 'failed', ['pending', 'processing', 'canceled', 'failed']],
    ['failed', 'canceled', ['pending', 'processing', 'canceled', 'failed']],
    ['declined', 'failed', ['pending', 'processing', 'canceled', 'failed']],
    // Another provider completed the payment after this one declined it.
    ['declined', 'completed', ['pending', 'processing', 'canceled', 'failed']],
    ['declined', 'pending', ['pending', 'processing', 'canceled', 'failed']],
    ['not_sent', 'completed', ['pending', 'processing', 'canceled', 'failed']],
  ]
  it.each(agreeing)('an attempt that %s, of a payment that is %s', (attempt, status, agree) => {
    const agreed = states.filter((state) => compare([theirs({ state })], ours(attempt, status)) === undefined)
    expect(agreed.map(({ state }) => state)).toEqual(agree)
    const differing = states.filter((state) => !agreed.includes(state))
    for (const state of differing)
      expect(compare([theirs({ state })], ours(attempt, status))).toMatchObject({
        kind: attempt === 'succeeded' && isReversal(state) ? 'reversal_missed' : 'state_differs',
        paymentId: 'payment',
      })
  })
})

describe('compare, of several transactions for one attempt', () => {
  const failed = theirs({ state: { state: 'failed', failure }, providerStatus: 'failed' })
  const open = theirs({ state: { state: 'pending' }, providerStatus: 'pending' })
  const part = (amountMinor: bigint): ProviderTransaction =>
    theirs({ amount: { amountMinor, currency: 'NGN' } })

  it.each([
    [
      'a try that failed counts for nothing beside one that was paid',
      [failed, theirs(), failed],
      'succeeded',
    ],
    ['or that is still open', [failed, open, failed], 'accepted'],
    ['where every try failed, it failed', [failed, failed], 'failed'],
    ['an amount in several parts is their sum', [part(100_000n), part(50_025n)], 'succeeded'],
  ] as const)('%s', (_title, parts, state) => {
    expect(compare(parts, ours(state, 'pending'))).toBeUndefined()
  })

  it('a double payment is a different amount', () => {
    expect(compare([theirs(), theirs()], ours('succeeded', 'completed'))).toMatchObject({
      kind: 'amount_differs',
      summary: 'The provider has 3000.50 NGN, we have 1500.25 NGN.',
    })
  })
})

describe('missingThere', () => {
  it('names the payment', () => {
    expect(missingThere(ours('accepted', 'pending'))).toMatchObject({
      kind: 'missing_there',
      reference,
      paymentId: 'payment',
    })
  })
})
