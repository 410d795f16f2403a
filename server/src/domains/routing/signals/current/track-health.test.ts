import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CorridorHealth } from '../record.ts'
import { bucketMs, floorTo } from '../rules.ts'
import {
  hangingAfterMs,
  healthWindowMs,
  nextHealth,
  nextSharedHealth,
  type RecentOutcomes,
} from './track-health.ts'

const start = Date.parse('2026-03-01T09:00:00Z')
const at = (second: number): Date => new Date(start + second * 1_000)

interface World {
  /** Payments per second, and whether the provider processes one at this second. */
  perSecond: number
  isBroken(this: void, second: number, payment: number): boolean
  /** A broken provider hangs for this long instead of failing at once. */
  hangsSeconds?: number
  seconds: number
  processes?: number
}

interface Course {
  changes: { second: number; health: string }[]
  /** For each second, the payments that were sent to the provider. */
  sent: number[]
}

/** Folds every second what the processes send; they see the health a second later and send probes as they may. */
function play({ perSecond, isBroken, hangsSeconds = 0, seconds, processes = 3 }: World): Course {
  const buckets = new Map<number, { answered: number; faults: number }>()
  const calls: { sentAt: number; answeredAt: number; isFault: boolean }[] = []
  const probedAt = Array.from({ length: processes }, () => -Infinity)
  const course: Course = { changes: [], sent: [] }
  let current: CorridorHealth | undefined
  let seen: CorridorHealth | undefined
  for (let second = 0; second < seconds; second++) {
    let sent = 0
    for (let payment = 0; payment < perSecond; payment++) {
      const process = payment % processes
      const hasRested = second * 1_000 + start >= (seen?.restUntil?.getTime() ?? 0)
      const isProbe = seen?.health === 'down' && hasRested && second - (probedAt[process] ?? 0) >= 2
      if (seen?.health === 'down' && !isProbe) continue
      if (isProbe) probedAt[process] = second
      sent++
      const isFault = isBroken(second, payment)
      calls.push({ sentAt: second, answeredAt: second + (isFault ? hangsSeconds : 0), isFault })
    }
    course.sent.push(sent)
    for (const call of calls.filter(({ answeredAt }) => answeredAt === second)) {
      const bucket = floorTo(at(second), bucketMs).getTime()
      const counts = buckets.get(bucket) ?? { answered: 0, faults: 0 }
      counts.answered++
      if (call.isFault) counts.faults++
      buckets.set(bucket, counts)
    }
    seen = current
    const recent: RecentOutcomes = {
      buckets: [...buckets]
        .map(([time, counts]) => ({ bucketStart: new Date(time), ...counts }))
        .filter(({ bucketStart }) => bucketStart.getTime() >= at(second).getTime() - healthWindowMs),
      hanging: calls.filter(
        ({ sentAt, answeredAt }) => answeredAt > second && (second - sentAt) * 1_000 >= hangingAfterMs,
      ).length,
    }
    const next = nextHealth(current, recent, at(second))
    if (next?.health !== (current?.health ?? 'healthy') && next)
      course.changes.push({ second, health: next.health })
    current = next
  }
  return course
}

const outage = (second: number): boolean => second >= 100 && second < 160
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

describe('a provider that fails for a minute', () => {
  it.each([
    { perSecond: 300, hangsSeconds: 0 },
    { perSecond: 20, hangsSeconds: 0 },
    { perSecond: 2, hangsSeconds: 0 },
    { perSecond: 300, hangsSeconds: 15 },
    { perSecond: 20, hangsSeconds: 15 },
  ])('loses its traffic within 10 s and gets it back once: %o', ({ perSecond, hangsSeconds }) => {
    const { changes, sent } = play({ perSecond, hangsSeconds, isBroken: outage, seconds: 400 })
    expect(changes.map(({ health }) => health)).toEqual(['down', 'degraded', 'healthy'])
    const [away, back, healthy] = changes.map(({ second }) => second)
    expect(away).toBeLessThanOrEqual(108)
    expect(back).toBeGreaterThanOrEqual(160)
    expect(back).toBeLessThanOrEqual(200)
    expect(healthy).toBeLessThanOrEqual(240)
    // While it is down only probes reach it: one per process in two seconds at most.
    expect(sum(sent.slice(112, 160))).toBeLessThanOrEqual(3 * 24)
    expect(sum(sent.slice(205, 400))).toBe(perSecond * 195)
  })
})

describe('a provider that processes most attempts', () => {
  it('is degraded and keeps its traffic', () => {
    const { changes, sent } = play({
      perSecond: 20,
      isBroken: (_second, payment) => payment % 4 === 0,
      seconds: 300,
    })
    expect(changes.map(({ health }) => health)).toEqual(['degraded'])
    expect(sum(sent)).toBe(20 * 300)
  })

  it('is healthy if it is slow but answers', () => {
    const { changes } = play({ perSecond: 50, isBroken: () => false, seconds: 200 })
    expect(changes).toEqual([])
  })
})

describe('few payments', () => {
  it('are no reason to call a provider down: four faults change nothing', () => {
    const { changes } = play({ perSecond: 1, isBroken: (second) => second < 4, seconds: 30 })
    expect(changes).toEqual([])
  })

  it('a single good answer brings it back after a quiet minute', () => {
    const health: CorridorHealth = { health: 'down', since: at(0), restUntil: at(10) }
    const buckets = [{ bucketStart: at(50), answered: 1, faults: 0 }]
    expect(nextHealth(health, { buckets, hanging: 0 }, at(55))).toBe(health)
    expect(nextHealth(health, { buckets, hanging: 0 }, at(61))).toMatchObject({ health: 'degraded' })
    expect(nextHealth(health, { buckets, hanging: 1 }, at(61))).toBe(health)
  })
})

describe('the view of everybody', () => {
  const now = at(120)
  /** Outcomes in buckets of the window, with as many faults as `part` of them. */
  const anyOutcomes = (part: fc.Arbitrary<number>): fc.Arbitrary<RecentOutcomes> =>
    fc
      .record({
        counts: fc.array(fc.tuple(fc.nat(24), fc.nat(300), part), { maxLength: 6 }),
        hanging: fc.nat(50),
        part,
      })
      .map(({ counts, hanging, part: ofHanging }) => ({
        buckets: counts.map(([bucket, answered, ofAnswered]) => ({
          bucketStart: at(bucket * 5),
          answered,
          faults: Math.round(answered * ofAnswered),
        })),
        hanging: Math.round(hanging * ofHanging),
      }))
  const anyone = anyOutcomes(fc.double({ min: 0, max: 1, noNaN: true }))
  const faultless = fc.array(anyOutcomes(fc.constant(0)), { maxLength: 5 })

  it('does not change by whatever one organisation does, if the others see no fault', () => {
    fc.assert(
      fc.property(anyone, faultless, (one, others) => {
        expect(nextSharedHealth(undefined, [one, ...others], now)).toBeUndefined()
      }),
    )
  })

  it('comes back although one organisation still sees faults, and not before the others get answers', () => {
    const health: CorridorHealth = { health: 'down', since: at(60), restUntil: at(70) }
    const failing = { buckets: [{ bucketStart: at(115), answered: 90, faults: 90 }], hanging: 9 }
    const answered = { buckets: [{ bucketStart: at(110), answered: 3, faults: 0 }], hanging: 0 }
    expect(nextSharedHealth(health, [failing], at(80))).toBe(health)
    expect(nextSharedHealth(health, [failing, failing, answered], now)).toMatchObject({ health: 'down' })
    expect(nextSharedHealth(health, [failing, answered], now)).toMatchObject({ health: 'degraded' })
  })

  it('goes down when two organisations see nothing but faults', () => {
    const faults = (count: number): RecentOutcomes => ({
      buckets: [{ bucketStart: at(115), answered: count, faults: count }],
      hanging: 0,
    })
    expect(nextSharedHealth(undefined, [faults(700), faults(1)], now)).toBeUndefined()
    expect(nextSharedHealth(undefined, [faults(700), faults(2)], now)).toMatchObject({ health: 'down' })
  })
})
