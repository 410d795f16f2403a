import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import { useApp } from '../../../../test/app/test-app.ts'
import { breakerKey, createBreakers } from '../../providers/configs/track-route-health.ts'
import { successRates } from '../policies/rules.ts'
import { createSignalCache, type SignalCache } from './current/track-signals.ts'
import { foldOutcomes } from './fold-outcomes.ts'
import type { Signal } from './record.ts'
import { before } from './rules.ts'
import { writeOutcomes } from './testing/write-outcomes.ts'

const clock = createTestClock()
const t = useApp({ clock })
const [thief, honest, other, newcomer] = [newId(), newId(), newId(), newId()]
let good: string
let worse: string
let cache: SignalCache
beforeEach(async () => {
  good = newId()
  worse = newId()
  cache = createSignalCache(t.deps)
  clock.pass(10 * 60_000)
  await learn()
})

async function learn(): Promise<void> {
  while ((await foldOutcomes(t.deps))?.isCaughtUp === false);
  await cache.refresh()
}

/** Attempts of two seconds ago. */
const send = (
  orgId: string,
  accountId: string,
  { succeed = 0, fault = 0, decline = 0 }: { succeed?: number; fault?: number; decline?: number },
): Promise<string[]> => {
  const answeredAt = before(clock.now(), 2_000)
  const many = (count: number, state: string, outcomeCode: string | null) =>
    Array.from({ length: count }, () => ({ orgId, accountId, answeredAt, state, outcomeCode }))
  return writeOutcomes(t.owner, [
    ...many(succeed, 'succeeded', null),
    ...many(fault, 'declined', 'PROVIDER_REFUSED'),
    ...many(decline, 'declined', 'CARD_DECLINED'),
  ])
}
const keyOf = (accountId: string) =>
  ({ accountId, direction: 'payin', method: 'card', country: 'NG', cardBrand: null }) as const
const seenBy = (orgId: string, accountId: string): Signal | undefined => cache.read(orgId, keyOf(accountId))
const healthFor = (orgId: string): string | undefined => seenBy(orgId, good)?.health
/** Where `success_rate` would send a payment of the organisation first. */
function preferredBy(orgId: string): string {
  const [rateOfGood = 0, rateOfWorse = 0] = successRates([seenBy(orgId, good), seenBy(orgId, worse)])
  return rateOfGood > rateOfWorse ? good : worse
}
const weightFor = (orgId: string, accountId = good): number => seenBy(orgId, accountId)?.totalWeight ?? 0

describe('an organisation that floods an account with failures', () => {
  beforeEach(async () => {
    await send(honest, good, { succeed: 57, decline: 3 })
    await send(honest, worse, { succeed: 48, decline: 12 })
    await learn()
    if (preferredBy(honest) !== good) throw new Error('the better account is not preferred')
  })

  it('does not move the payments of another one, nor its view of the account', async () => {
    await send(thief, good, { fault: 500 })
    await learn()
    expect(preferredBy(honest)).toBe(good)
    expect(healthFor(honest)).toBe('healthy')
    expect(healthFor(newcomer)).toBe('healthy')
  })

  it('cannot do so by declines, nor by successes at another account', async () => {
    await send(thief, good, { decline: 500 })
    await send(thief, worse, { succeed: 500 })
    await learn()
    expect(preferredBy(honest)).toBe(good)
  })

  it('cannot keep an account down that the others have seen come back', async () => {
    const orgs = [honest, other, newId()]
    for (const orgId of orgs) await send(orgId, good, { fault: 60 })
    await learn()
    expect(healthFor(newcomer)).toBe('down')
    for (let second = 0; second < 150; second += 5) {
      clock.pass(5_000)
      await send(thief, good, { fault: 20 })
      if (second > 60) for (const orgId of orgs) await send(orgId, good, { succeed: 1 })
      await learn()
    }
    expect(healthFor(newcomer)).not.toBe('down')
    expect(healthFor(honest)).not.toBe('down')
  })
})

describe('a corridor that nobody else uses now', () => {
  it('does not go down for the others because of one organisation', async () => {
    await send(thief, good, { fault: 500 })
    await learn()
    expect(healthFor(thief)).toBe('down')
    expect(healthFor(newcomer)).toBe('healthy')
  })
})

describe('the breakers of a process', () => {
  it('open for the organisation whose calls fail, and for no other one', () => {
    const breakers = createBreakers(clock)
    const keyFor = (orgId: string) => breakerKey(orgId, good, { country: 'NG', method: 'card' })
    for (let call = 0; call < 10; call++) breakers.record(keyFor(thief), false)
    expect(breakers.isUnhealthy(keyFor(thief))).toBe(true)
    expect(breakers.isUnhealthy(keyFor(honest))).toBe(false)
  })
})

describe('honest organisations', () => {
  it('one that is alone is judged by all of its attempts', async () => {
    await send(honest, good, { succeed: 80, decline: 20 })
    await learn()
    expect(weightFor(honest)).toBeGreaterThan(95)
    expect(weightFor(newcomer)).toBeGreaterThan(10)
    await send(honest, good, { fault: 200 })
    await learn()
    expect(healthFor(honest)).toBe('down')
  })

  it('one with most of the traffic keeps its own figures beside a small one', async () => {
    await send(honest, good, { succeed: 900, decline: 100 })
    await send(other, good, { decline: 10 })
    await learn()
    expect(weightFor(honest)).toBeGreaterThan(950)
    expect(weightFor(other)).toBeLessThan(40)
    expect(weightFor(other)).toBeGreaterThan(25)
  })

  it('two that see faults bring an account down for everybody', async () => {
    await send(honest, good, { fault: 100 })
    await send(other, good, { fault: 2 })
    await learn()
    expect([honest, other, newcomer].map(healthFor)).toEqual(['down', 'down', 'down'])
  })

  it('one that gets through keeps the account up although others with few attempts do not', async () => {
    await send(honest, good, { succeed: 100 })
    await send(other, good, { fault: 4 })
    await send(thief, good, { fault: 4 })
    await learn()
    expect(healthFor(honest)).toBe('healthy')
  })
})
