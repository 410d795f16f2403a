import { describe, expect, it } from 'vitest'
import { defaultPollSchedule } from './attempts/rules.ts'
import {
  canRepeat,
  lastAttempt,
  openAttempt,
  privateContext,
  providerAmount,
  recordDirections,
  routeToRepeat,
  untriedRoutes,
  wireDirections,
  type LoadedPayment,
  type RouteCandidate,
  type StoredAttempt,
} from './record.ts'
import type { AttemptState } from './lifecycle/rules.ts'
import { sampleAttempt, sampleNow, samplePayout } from './testing/sample-payment.ts'

const routeOf = (configId: string): RouteCandidate => ({
  provider: 'paystack',
  configId,
  accountId: 'account',
  custody: 'pooled',
})
const attemptOf = (attemptNo: number, configId: string, change: Partial<StoredAttempt> = {}): StoredAttempt =>
  sampleAttempt({ attemptNo, configId, state: 'declined', outcomeCode: 'CARD_DECLINED', ...change })
const loadedOf = (
  attempts: StoredAttempt[],
  change: Parameters<typeof samplePayout>[0] = {},
): LoadedPayment => ({
  payment: samplePayout({
    routing: {
      candidates: [routeOf('a'), routeOf('b')],
      considered: [],
      fallback: { CARD_DECLINED: 'later', UNSPECIFIED: 'next' },
    },
    ...change,
  }),
  attempts,
})

describe('the attempts of a payment', () => {
  it('has at most one open one, and a last one', () => {
    const states: AttemptState[] = ['declined', 'unknown', 'not_sent']
    const loaded = loadedOf(states.map((state, index) => attemptOf(index + 1, 'a', { state })))
    expect(openAttempt(loaded)?.attemptNo).toBe(2)
    expect(lastAttempt(loaded)?.attemptNo).toBe(3)
    expect([openAttempt(loadedOf([])), lastAttempt(loadedOf([]))]).toEqual([undefined, undefined])
  })

  it('leave the routes that have none', () => {
    const untried = (...configIds: string[]): string[] =>
      untriedRoutes(loadedOf(configIds.map((configId, index) => attemptOf(index + 1, configId)))).map(
        ({ configId }) => configId,
      )
    expect(untried()).toEqual(['a', 'b'])
    expect(untried('a')).toEqual(['b'])
    expect(untried('b')).toEqual(['a'])
    expect(untried('a', 'b')).toEqual([])
  })
})

describe('a declined route', () => {
  const { repeatMs } = defaultPollSchedule
  const repeat = (loaded: LoadedPayment): [string, number] | undefined => {
    const found = routeToRepeat(loaded, defaultPollSchedule)
    return found && [found.route.configId, found.at.getTime() - sampleNow.getTime()]
  }

  it('is tried again after each delay of the schedule, and then no more', () => {
    expect(repeatMs).toHaveLength(2)
    const tries = (count: number): LoadedPayment =>
      loadedOf(Array.from({ length: count }, (_, index) => attemptOf(index + 1, 'b')))
    expect(repeat(tries(1))).toEqual(['b', repeatMs[0]])
    expect(repeat(tries(2))).toEqual(['b', repeatMs[1]])
    expect(repeat(tries(3))).toBeUndefined()
    expect(repeat(tries(0))).toBeUndefined()
  })

  it('counts its own tries only', () => {
    const others = [attemptOf(1, 'a'), attemptOf(2, 'a'), attemptOf(3, 'a'), attemptOf(4, 'b')]
    expect(repeat(loadedOf(others))).toEqual(['b', repeatMs[0]])
    expect(canRepeat(loadedOf(others), { configId: 'a' }, defaultPollSchedule)).toBe(false)
    expect(canRepeat(loadedOf(others), { configId: 'b' }, defaultPollSchedule)).toBe(true)
  })

  it('is tried again only where the policy says so about the last decline', () => {
    const last = (change: Partial<StoredAttempt>) => repeat(loadedOf([attemptOf(1, 'a', change)]))
    expect(last({})).toEqual(['a', repeatMs[0]])
    expect(last({ outcomeCode: 'UNSPECIFIED' })).toBeUndefined()
    expect(last({ outcomeCode: null })).toBeUndefined()
    expect(last({ state: 'not_sent' })).toBeUndefined()
    expect(last({ state: 'unknown' })).toBeUndefined()
    expect(last({ reachedCustomer: true })).toBeUndefined()
    expect(last({ configId: 'gone' })).toBeUndefined()
    const unruled = loadedOf([attemptOf(1, 'a')], {
      routing: { candidates: [routeOf('a')], considered: [] },
    })
    expect(repeat(unruled)).toBeUndefined()
  })

  it('is not tried again with a card that came with the request, because it is not stored', () => {
    const card = { brand: 'visa', first6: '411111', last4: '1111', expiry_month: '12', expiry_year: '30' }
    const attempts = [attemptOf(1, 'a')]
    expect(repeat(loadedOf(attempts, { method: 'card', card }))).toBeUndefined()
    expect(repeat(loadedOf(attempts, { method: 'card', card: null }))).toBeDefined()
    expect(repeat(loadedOf(attempts, { method: 'bank_transfer', card }))).toBeDefined()
  })
})

it('the provider moves the source of a payin and the target of a payout', () => {
  const [source, target] = [
    { amountMinor: 1n, currency: 'GBP' },
    { amountMinor: 2n, currency: 'NGN' },
  ]
  expect(providerAmount({ direction: 'outbound', source, target })).toBe(target)
  expect(providerAmount({ direction: 'inbound', source, target })).toBe(source)
  expect(providerAmount({ direction: 'external', source, target })).toBe(source)
})

it('directions have one name in records and another one in the API', () => {
  expect(wireDirections).toEqual({ inbound: 'payin', outbound: 'payout', external: 'external' })
  expect(recordDirections).toEqual({ payin: 'inbound', payout: 'outbound' })
})

it('sealed details are bound to their payment', () => {
  expect(privateContext('one')).toBe('payment one')
})
