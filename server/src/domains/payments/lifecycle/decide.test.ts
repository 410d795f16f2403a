import { describe, expect, it } from 'vitest'
import {
  cardDetailsUnavailable,
  decide,
  isExchanged,
  isReversal,
  providersFailed,
  rateGone,
  targetPartOf,
  unchanged,
  verificationGone,
  type Fact,
  type Situation,
} from './rules.ts'
import { accepted, attemptStates, sampleFailure as failure } from '../testing/sample-facts.ts'

const situation: Situation = {
  status: 'processing',
  attempt: 'sending',
  hasNextRoute: false,
  reachedCustomer: false,
  isPayout: false,
  isFunded: false,
  isCertain: false,
  isReversed: false,
}

describe('the attempt after a fact', () => {
  const attemptAfter = (fact: Fact, change: Partial<Situation> = {}): string =>
    [
      decide({ ...situation, ...change }, fact).attempt,
      ...decide({ ...situation, ...change }, fact).moves,
    ].join()

  it('follows what the provider said', () => {
    expect(attemptAfter(accepted({ state: 'pending' }))).toBe('accepted,pending')
    expect(attemptAfter(accepted({ state: 'processing' }))).toBe('accepted')
    expect(attemptAfter(accepted({ state: 'canceled' }))).toBe('failed,canceled')
    expect(attemptAfter(accepted({ state: 'failed', failure }))).toBe('failed,failed')
    expect(attemptAfter({ kind: 'declined', failure, fallback: false })).toBe('declined,failed')
    expect(attemptAfter({ kind: 'not_sent', reason: 'x' })).toBe('not_sent,failed')
    expect(attemptAfter({ kind: 'unknown', reason: 'x' })).toBe('unknown')
    expect(attemptAfter({ kind: 'unknown', reason: 'x' }, { attempt: 'accepted' })).toBe('accepted')
    expect(attemptAfter({ kind: 'unknown', reason: 'x' }, { status: 'confirmed' })).toBe('unknown,processing')
  })

  it('is unchanged where nothing was learnt', () => {
    for (const attempt of attemptStates)
      expect(unchanged(attempt)).toEqual({ moves: [], attempt, tryNext: false })
  })

  it('is declined without an end where the policy repeats it and nobody was asked', () => {
    const repeated: Fact = { kind: 'declined', failure, fallback: true, isRepeated: true }
    const can = { canRepeat: true, hasNextRoute: true }
    expect(decide({ ...situation, ...can }, repeated)).toEqual(unchanged('declined'))
    expect(decide({ ...situation, ...can, canRepeat: false }, repeated).tryNext).toBe(true)
    expect(decide({ ...situation, ...can }, { ...repeated, isRepeated: false }).tryNext).toBe(true)
    expect(attemptAfter(repeated, { ...can, reachedCustomer: true })).toBe('declined,failed')
    expect(attemptAfter(repeated, { ...can, attempt: 'accepted' })).toBe('declined,failed')
  })
})

describe('a provider that changes its mind', () => {
  it('takes back a success by a failure or a cancellation', () => {
    const states = ['pending', 'processing', 'completed', 'canceled'] as const
    expect(states.filter((state) => isReversal({ state }))).toEqual(['canceled'])
    expect(isReversal({ state: 'failed', failure })).toBe(true)
  })

  it('completes what had failed, whatever became of the attempt', () => {
    for (const attempt of attemptStates.filter((state) => state !== 'succeeded'))
      expect(decide({ ...situation, status: 'failed', attempt }, accepted({ state: 'completed' }))).toEqual({
        moves: ['completed'],
        attempt: 'succeeded',
        tryNext: false,
        exception: 'late_success',
      })
  })
})

describe('failures that we name ourselves', () => {
  it('say that nothing was charged', () => {
    expect([providersFailed.code, cardDetailsUnavailable.code]).toEqual([
      'ALL_PROVIDERS_FAILED',
      'CARD_DETAILS_GONE',
    ])
    for (const { message } of [providersFailed, cardDetailsUnavailable])
      expect(message).toContain('Nothing was charged')
  })

  it('say of a payout that had to wait that nothing was sent', () => {
    expect([rateGone.code, verificationGone.code]).toEqual(['RATE_EXPIRED', 'KYB_REQUIRED'])
    for (const { message } of [rateGone, verificationGone]) expect(message).toContain('Nothing was sent')
  })
})

describe('the part of the target that belongs to a part of the source', () => {
  const money = (amountMinor: bigint, currency: string) => ({ amountMinor, currency })
  const payment = { source: money(300n, 'GBP'), target: money(1_000n, 'NGN') }

  it('is rounded up, and the whole belongs to the whole', () => {
    expect([0n, 1n, 3n, 100n, 299n, 300n].map((part) => targetPartOf(payment, part))).toEqual([
      0n,
      4n,
      10n,
      334n,
      997n,
      1_000n,
    ])
  })

  it('is rounded up by the smallest remainder', () => {
    expect(targetPartOf({ source: money(3n, 'GBP'), target: money(1_000n, 'NGN') }, 1n)).toBe(334n)
  })

  it('matters where the currencies differ', () => {
    expect(isExchanged(payment)).toBe(true)
    expect(isExchanged({ ...payment, target: money(1_000n, 'GBP') })).toBe(false)
  })
})
