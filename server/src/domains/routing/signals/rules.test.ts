import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldWeights } from './current/update-weights.ts'
import type { OrgWeights } from './current/store.ts'
import type { Bucket } from './record.ts'
import {
  bucketMs,
  customerCodes,
  decay,
  faultCodes,
  halfLifeMs,
  latencyBoundsMs,
  latencySlots,
  noWeights,
  quantileMs,
  toSignal,
} from './rules.ts'

const start = Date.parse('2026-03-01T09:00:00Z')

const bucketAt = (index: number, succeeded: number, failed: number): Bucket => ({
  orgId: 'o',
  accountId: 'a',
  direction: 'payin',
  method: 'card',
  country: 'NG',
  cardBrand: null,
  provider: 'paystack',
  bucketStart: new Date(start + index * bucketMs),
  answered: succeeded + failed,
  faults: 0,
  succeeded,
  customerDeclines: 3,
  providerDeclines: failed,
  failed: 0,
  notSent: 0,
  unknown: 1,
  costShare: 0.02 * succeeded,
  costed: succeeded,
  latencies: Array.from({ length: latencySlots }, (_none, slot) => (slot === 5 ? succeeded : 0)),
})

describe('the weights', () => {
  it('do not depend on how the time was cut into passes', () => {
    const counts = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(counts, fc.array(fc.nat(39), { maxLength: 6 }), (all, cuts) => {
        const buckets = all.map(([succeeded, failed], index) => bucketAt(index, succeeded, failed))
        const end = new Date(start + 41 * bucketMs)
        const atOnce = foldWeights(undefined, buckets, { settledUntil: end, now: end })
        let stored: OrgWeights | undefined
        let from = 0
        for (const cut of [...new Set(cuts), 41].toSorted((a, b) => a - b)) {
          const unsettled = buckets.slice(from)
          if (unsettled.length === 0) continue
          stored = foldWeights(stored, unsettled, {
            settledUntil: new Date(start + cut * bucketMs),
            now: end,
          })
          from = cut
        }
        expect(stored?.current.success).toBeCloseTo(atOnce.current.success, 6)
        expect(stored?.current.total).toBeCloseTo(atOnce.current.total, 6)
        expect(stored?.current.latencies[5]).toBeCloseTo(atOnce.current.latencies[5] ?? 0, 6)
      }),
    )
  })

  it('count no decline that is the customer’s, and halve in their half-life', () => {
    const now = new Date(start + bucketMs)
    const { current } = foldWeights(undefined, [bucketAt(0, 6, 2)], { settledUntil: now, now })
    expect(Math.abs(current.total - 8)).toBeLessThan(0.1)
    const signal = toSignal(decay(current, halfLifeMs), { health: 'healthy', since: null })
    expect(signal.successWeight).toBeCloseTo(current.success / 2, 6)
    expect(signal.costShare).toBeCloseTo(0.02, 6)
    expect(signal.medianMs).toBeGreaterThanOrEqual(500)
    expect(toSignal(noWeights, { health: 'down', since: null })).toMatchObject({
      medianMs: null,
      costShare: null,
    })
  })
})

describe('quantiles', () => {
  it('lie between the bounds and grow with the part', () => {
    const slots = fc.array(fc.nat(20), { minLength: latencySlots, maxLength: latencySlots })
    fc.assert(
      fc.property(slots, (latencies) => {
        const values = [0.1, 0.5, 0.95].map((part) => quantileMs(latencies, part))
        if (latencies.every((count) => count === 0)) return values.every((value) => value === null)
        const [low = 0, middle = 0, high = 0] = values.map((value) => value ?? -1)
        return low >= 0 && low <= middle && middle <= high && high <= (latencyBoundsMs.at(-1) ?? 0)
      }),
    )
  })
})

it('a code is the customer’s, the provider’s or a fault, never two of them', () => {
  expect(new Set(customerCodes).intersection(new Set(faultCodes)).size).toBe(0)
  expect(customerCodes).toContain('INSUFFICIENT_FUNDS')
  expect(customerCodes).not.toContain('CARD_DECLINED')
  expect(faultCodes).toContain('PROVIDER_UNAVAILABLE')
})
