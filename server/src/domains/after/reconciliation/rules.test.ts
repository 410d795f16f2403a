import { describe, expect, it } from 'vitest'
import type { ProviderTransaction } from '../../../connectors/kit/lists.ts'
import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import { isReversal, type AttemptState, type Status } from '../../payments/lifecycle/rules.ts'
import type { OwnAttempt } from './record.ts'
import {
  compare,
  findingKeyOf,
  findingKinds,
  isJustEnded,
  isRefundMissed,
  knownElsewhere,
  missingHere,
  missingThere,
  refundMissed,
  startOfComparison,
  totalOf,
} from './rules.ts'

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

  it.each(['pending', 'processing'] as const)(
    'one that is %s counts more than a later one that failed',
    (state) => {
      expect(compare([theirs({ state: { state } }), failed], ours('accepted', 'pending'))).toBeUndefined()
    },
  )

  it('of none there is nothing to say', () => {
    expect(compare([], ours('accepted', 'pending'))).toBeUndefined()
  })

  it('a double payment is a different amount', () => {
    expect(compare([theirs(), theirs()], ours('succeeded', 'completed'))).toMatchObject({
      kind: 'amount_differs',
      summary: 'The provider has 3000.50 NGN, we have 1500.25 NGN.',
    })
  })
})

describe('a difference says what the provider has and what we have', () => {
  it('of a state', () => {
    const finding = compare([theirs({ state: { state: 'failed', failure } })], ours('accepted', 'pending'))
    expect(finding?.summary).toBe(
      'The provider says failed (success), the attempt is accepted and the payment pending.',
    )
  })

  it.each(['completed', 'pending', 'failed'] as const)(
    'of the last of several parts that are %s',
    (state) => {
      const part = (providerStatus: string) =>
        theirs({
          providerStatus,
          state: state === 'failed' ? { state, failure } : { state },
          amount: { amountMinor: state === 'completed' ? 50_000n : 150_000n, currency: 'NGN' },
        })
      const own = state === 'completed' ? ours('failed', 'failed') : ours('accepted', 'pending')
      const known = state === 'pending' ? { ...own, state: 'succeeded' as const } : own
      const finding = compare([part('one'), part('two'), part('three')], { ...known, amountMinor: 150_000n })
      expect(finding?.summary).toContain(`The provider says ${state} (three)`)
    },
  )

  it('of what the provider took back', () => {
    const reversed = theirs({ state: { state: 'canceled' }, providerStatus: 'reversed' })
    const finding = compare([reversed], ours('succeeded', 'completed'))
    expect(finding).toMatchObject({ kind: 'reversal_missed', reference, paymentId: 'payment' })
    expect(finding?.summary).toContain('took back 1500.25 NGN (reversed)')
  })
})

describe('a deposit', () => {
  const deposit = { accountNumber: '1' } as unknown as NonNullable<ProviderTransaction['deposit']>

  it('that no webhook brought is booked, once it is complete', () => {
    expect(missingHere(theirs({ deposit }))).toMatchObject({
      kind: 'deposit_missed',
      reference,
      paymentId: null,
      deposit,
      summary: expect.stringContaining('1500.25 NGN came to a virtual account'),
    })
    expect(missingHere(theirs({ deposit, state: { state: 'pending' } })).kind).toBe('missing_here')
  })

  it('that the provider took back is raised', () => {
    const takenBack = theirs({ deposit, state: { state: 'canceled' }, providerStatus: 'reversed' })
    expect(knownElsewhere(takenBack)).toMatchObject({
      kind: 'deposit_taken_back',
      reference,
      paymentId: null,
      summary: expect.stringContaining('took back a deposit of 1500.25 NGN'),
    })
    expect(knownElsewhere({ ...takenBack, reference: null })?.reference).toBe('TRX_1')
    expect(knownElsewhere(theirs({ deposit }))).toBeUndefined()
    expect(knownElsewhere({ ...takenBack, deposit: undefined })).toBeUndefined()
  })
})

describe('a refund on the list', () => {
  const listed = (state: 'completed' | 'failed' | 'processing'): ProviderRefund => ({
    providerRef: 're_1',
    reference: null,
    refundOf: { reference: null, providerRef: null },
    amount: undefined,
    providerStatus: 'told',
    state: state === 'failed' ? { state, failure } : { state },
  })
  const known = (state: string, isRaised = false) => ({ reference: 'r', providerRef: null, state, isRaised })
  const missedOf = (own: ReturnType<typeof known> | undefined): string[] =>
    (['completed', 'failed', 'processing'] as const).filter((state) => isRefundMissed(listed(state), own))

  it('was missed if it ended otherwise than here', () => {
    expect(missedOf(undefined)).toEqual(['completed'])
    expect(missedOf(known('failed'))).toEqual(['completed'])
    expect(missedOf(known('completed'))).toEqual(['failed'])
  })

  it('is left to its own polling while it is under way, and raised once', () => {
    expect(missedOf(known('accepted'))).toEqual([])
    for (const state of ['failed', 'completed']) expect(missedOf(known(state, true))).toEqual([])
  })

  it('is found with its payment, or for the owner of the account', () => {
    expect(refundMissed(listed('completed'), ours('succeeded', 'completed'))).toMatchObject({
      kind: 'refund_missed',
      reference: 're_1',
      paymentId: 'payment',
      summary: expect.stringContaining('(re_1) is told at the provider'),
    })
    expect(refundMissed(listed('completed'), undefined)).toMatchObject({
      kind: 'missing_here',
      reference: 're_1',
      paymentId: null,
      summary: expect.stringContaining('told refund re_1'),
    })
  })
})

describe('a comparison', () => {
  it('waits with an attempt that ended while the list was read', () => {
    const until = new Date('2026-06-30T03:00:00Z')
    const ended = (state: AttemptState, updatedAt: Date): boolean =>
      isJustEnded(ours(state, 'completed', { updatedAt }), until)
    expect(ended('succeeded', until)).toBe(true)
    expect(ended('succeeded', new Date(until.getTime() + 1))).toBe(true)
    expect(ended('succeeded', new Date(until.getTime() - 1))).toBe(false)
    expect(ended('accepted', until)).toBe(false)
  })

  it('counts what it compared, and names a difference the same way every night', () => {
    expect(
      totalOf(
        new Map([
          ['a', 2],
          ['b', 3],
        ]),
      ),
    ).toBe(5)
    expect(totalOf(new Map())).toBe(0)
    expect(findingKeyOf('stripe', missingHere(theirs()))).toBe(`missing_here stripe ${reference}`)
  })

  it('has a kind for everything that it can find', () => {
    expect(findingKinds).toEqual([
      'missing_here',
      'missing_there',
      'amount_differs',
      'state_differs',
      'deposit_missed',
      'deposit_taken_back',
      'reversal_missed',
      'refund_missed',
    ])
  })
})

describe('missingThere', () => {
  it('names the payment', () => {
    expect(missingThere(ours('accepted', 'pending'))).toMatchObject({
      kind: 'missing_there',
      reference,
      paymentId: 'payment',
      summary: 'The payment is pending here, but the provider does not list it.',
    })
  })
})
