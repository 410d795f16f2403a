import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustableDeclines, type FallbackTable } from '../../routing/policies/record.ts'
import { decide, type AttemptState, type Fact } from '../lifecycle/rules.ts'
import {
  adjustFallback,
  defaultPollSchedule,
  findingKeyOf,
  forwardedReturnsLimit,
  isInDoubt,
  isPageInquiryDue,
  mergeProviderRef,
  pageInquiryInMs,
  pollDelayMs,
} from './rules.ts'

const declined = (code: string, fallback: boolean): Fact => ({
  kind: 'declined',
  failure: { code, message: 'No.' },
  fallback,
})

const anyTable: fc.Arbitrary<FallbackTable> = fc.dictionary(
  fc.constantFrom(...adjustableDeclines),
  fc.constantFrom('next' as const, 'later' as const, 'stop' as const),
)

describe('what a policy says about a decline', () => {
  it('replaces what the connector suggests, for its code only', () => {
    const fallback = { CARD_DECLINED: 'next', PROVIDER_REFUSED: 'stop' } as const
    expect(adjustFallback({ fallback }, declined('CARD_DECLINED', false))).toEqual(
      declined('CARD_DECLINED', true),
    )
    expect(adjustFallback({ fallback }, declined('PROVIDER_REFUSED', true))).toEqual(
      declined('PROVIDER_REFUSED', false),
    )
    for (const suggested of [true, false])
      expect(adjustFallback({ fallback }, declined('UNSPECIFIED', suggested))).toEqual(
        declined('UNSPECIFIED', suggested),
      )
    expect(adjustFallback({}, declined('toString', true))).toEqual(declined('toString', true))
  })

  it('never leads to a second provider while the outcome is unknown or after the customer was asked', () => {
    const anyFact = fc.oneof(
      fc.constant<Fact>({ kind: 'unknown', reason: 'timeout' }),
      fc.tuple(fc.constantFrom(...adjustableDeclines), fc.boolean()).map((args) => declined(...args)),
    )
    fc.assert(
      fc.property(anyTable, anyFact, fc.boolean(), (fallback, reported, isAccepted) => {
        const fact = adjustFallback({ fallback }, reported)
        if (!fact) throw new Error('the fact is gone')
        const { tryNext, moves, attempt } = decide(
          {
            status: 'processing',
            attempt: isAccepted ? 'accepted' : 'sending',
            hasNextRoute: true,
            canRepeat: true,
            reachedCustomer: !isAccepted,
            isPayout: false,
            isFunded: false,
            isCertain: false,
            isReversed: false,
          },
          fact,
        )
        expect(tryNext).toBe(false)
        // It ended for good, or its outcome is still unknown: nothing waits for a repetition.
        if (attempt === 'declined') expect(moves).toEqual(['failed'])
      }),
    )
  })

  it('does not turn an unknown outcome into a decline', () => {
    const unknown: Fact = { kind: 'unknown', reason: 'timeout' }
    expect(adjustFallback({ fallback: { UNSPECIFIED: 'next' } }, unknown)).toBe(unknown)
    expect(adjustFallback({}, undefined)).toBeUndefined()
  })
})

it('an exception about an attempt is another one for each kind, payment and attempt', () => {
  expect(findingKeyOf('money_after_end', 'payment', 2)).toBe('money_after_end payment 2')
})

it('a policy may ask for the same route again later', () => {
  const fact = declined('CARD_DECLINED', true)
  expect(adjustFallback({ fallback: { CARD_DECLINED: 'later' } }, fact)).toEqual({
    ...fact,
    isRepeated: true,
  })
})

const secondMs = 1_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const createdAt = new Date('2026-03-01T12:00:00Z')
const after = (ms: number): Date => new Date(createdAt.getTime() + ms)

describe('the pages of a customer', () => {
  const inMs = (pageInquiries: number, lastMs: number | null, nowMs: number): number | undefined =>
    pageInquiryInMs(
      { pageInquiries, pageInquiredAt: lastMs === null ? null : after(lastMs), updatedAt: createdAt },
      after(nowMs),
    )

  it('ask three seconds after the last change', () => {
    expect(inMs(0, null, 0)).toBe(3_000)
    expect(inMs(0, null, 3_000)).toBe(0)
    expect(inMs(1, -9_000, 1_000)).toBe(2_000)
  })

  it('ask ever more rarely, and at least once a minute', () => {
    expect(inMs(1, 10_000, 10_000)).toBe(3_750)
    expect(inMs(2, 10_000, 10_000)).toBe(4_687.5)
    expect(inMs(30, 10_000, 10_000)).toBe(minuteMs)
  })

  it('ask no more than forty times', () => {
    expect(inMs(39, 10_000, 10_000)).toBe(minuteMs)
    expect(inMs(40, 10_000, 10_000)).toBeUndefined()
  })

  it('ask once the time has passed', () => {
    const isDue = (pageInquiries: number, nowMs: number): boolean =>
      isPageInquiryDue({ pageInquiries, pageInquiredAt: null, updatedAt: createdAt }, after(nowMs))
    expect([isDue(0, 2_999), isDue(0, 3_000), isDue(0, 3_001), isDue(40, minuteMs)]).toEqual([
      false,
      false,
      true,
      false,
    ])
  })

  it('pass on the parameters of ten returns', () => {
    expect(forwardedReturnsLimit).toBe(10)
  })
})

describe('an open attempt', () => {
  const at = (ageMs: number) => ({ pollSchedule: defaultPollSchedule, now: after(ageMs) })

  it('is in doubt after a day without an outcome, or a week after its acceptance', () => {
    const doubt = (state: AttemptState, ageMs: number): boolean => isInDoubt({ state, createdAt }, at(ageMs))
    expect([doubt('unknown', dayMs - 1), doubt('unknown', dayMs)]).toEqual([false, true])
    expect([doubt('accepted', 7 * dayMs - 1), doubt('accepted', 7 * dayMs)]).toEqual([false, true])
    for (const state of ['sending', 'succeeded', 'failed', 'declined', 'not_sent'] as const)
      expect(doubt(state, 30 * dayMs)).toBe(false)
  })

  it('is polled by its state and by the number of polls so far', () => {
    const delays = (state: AttemptState, ageMs: number): number[] =>
      Array.from({ length: 8 }, (_, inquiries) => pollDelayMs({ state, inquiries, createdAt }, at(ageMs)))
    const half = 30 * minuteMs
    const unknownMs = [1, 5, 15, 60, 300].map((seconds) => seconds * secondMs)
    expect(delays('unknown', 0)).toEqual([...unknownMs, half, half, half])
    const acceptedMs = [10, 30, 60, 120, 300, 600].map((seconds) => seconds * secondMs)
    expect(delays('accepted', 0)).toEqual([...acceptedMs, half, half])
    expect(new Set(delays('unknown', dayMs))).toEqual(new Set([dayMs]))
  })
})

it('the schedule of refunds, doubts, repetitions and suspensions', () => {
  expect(defaultPollSchedule).toMatchObject({
    refundFirstMs: 30 * secondMs,
    refundMs: [5, 30, 60, 300, 1_800].map((seconds) => seconds * secondMs),
    unknownLimitMs: dayMs,
    acceptedLimitMs: 7 * dayMs,
    refundLimitMs: 14 * dayMs,
    doubtMs: dayMs,
    repeatMs: [minuteMs, 5 * minuteMs],
    suspendedMs: 15 * secondMs,
  })
})

describe('the provider’s id of an attempt', () => {
  it.each<[string | null, string | null, string | null, string | null]>([
    // known, verified, hinted, afterwards
    [null, null, null, null],
    [null, 'p', null, 'p'],
    [null, null, 'h', 'h'],
    [null, 'p', 'h', 'p'],
    ['p', null, null, 'p'],
    ['p', null, 'h', 'p'],
    ['p', null, 'p/t', 'p/t'],
    ['p', null, 'pt', 'p'],
    ['p', 'q', null, 'q'],
    ['p/t', 'p', null, 'p/t'],
    ['pt', 'p', null, 'p'],
  ])('is, from %j, %j and %j, %j', (known, verified, hinted, afterwards) => {
    expect(mergeProviderRef(known, { verified, hinted })).toBe(afterwards)
  })
})
