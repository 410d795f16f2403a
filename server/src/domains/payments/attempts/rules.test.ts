import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustableDeclines, type FallbackTable } from '../../routing-policies/record.ts'
import { decide, type Fact } from '../rules.ts'
import { adjustFallback } from './rules.ts'

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
