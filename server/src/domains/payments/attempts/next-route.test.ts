import { describe, expect, it } from 'vitest'
import type { LoadedPayment, RouteCandidate } from '../record.ts'
import { unchanged, type Fact } from '../lifecycle/rules.ts'
import { sampleAttempt, sampleNow, samplePayout } from '../testing/sample-payment.ts'
import { costIn, costPostings } from './post-cost.ts'
import { defaultSendDeadlineMs, newAttempt, nextRouteIn } from './prepare-attempt.ts'
import type { Evidence } from './record.ts'

const routeOf = (name: string): RouteCandidate => ({
  provider: `provider ${name}`,
  configId: `config ${name}`,
  accountId: `account ${name}`,
  custody: 'own',
})
const routes = ['a', 'b', 'c'].map(routeOf)
const tried = sampleAttempt({ configId: 'config a' })
const loadedOf = (direction: 'inbound' | 'outbound', candidates = routes): LoadedPayment => ({
  payment: samplePayout({ direction, routing: { candidates, considered: [] } }),
  attempts: [tried],
})

describe('the next route', () => {
  const next = (loaded: LoadedPayment, evidence: Partial<Evidence> = {}): [boolean, string | undefined] => {
    const found = nextRouteIn(loaded, { attemptNo: 1, canSend: true, ...evidence })
    return [found.hasNextRoute, found.next?.configId]
  }
  const refused = (how: { isOutflow: boolean; isTemporary: boolean }, names: string[]) => ({
    suspended: { ...how, accountIds: new Set(names.map((name) => `account ${name}`)) },
  })
  const suspended = (isOutflow: boolean, ...names: string[]) =>
    refused({ isOutflow, isTemporary: true }, names)
  const closed = (...names: string[]) => refused({ isOutflow: false, isTemporary: false }, names)

  it('is the first that has not been tried, while the details are at hand', () => {
    expect(next(loadedOf('outbound'))).toEqual([true, 'config b'])
    expect(next(loadedOf('outbound', routes.slice(0, 1)))).toEqual([false, undefined])
    expect(next(loadedOf('outbound'), { canSend: false })).toEqual([false, undefined])
  })

  it('passes over suspended accounts', () => {
    expect(next(loadedOf('outbound'), suspended(false, 'b'))).toEqual([true, 'config c'])
    expect(next(loadedOf('inbound'), suspended(false, 'b'))).toEqual([true, 'config c'])
  })

  it('is waited for by a payout, and not by the payer of a payin', () => {
    expect(next(loadedOf('outbound'), suspended(false, 'b', 'c'))).toEqual([true, undefined])
    expect(next(loadedOf('outbound', routes.slice(0, 2)), suspended(false, 'b'))).toEqual([true, undefined])
    expect(next(loadedOf('inbound'), suspended(false, 'b', 'c'))).toEqual([false, undefined])
    expect(next(loadedOf('outbound', routes.slice(0, 1)), suspended(false))).toEqual([false, undefined])
  })

  it('is not waited for once it was closed', () => {
    expect(next(loadedOf('outbound'), closed('b'))).toEqual([true, 'config c'])
    expect(next(loadedOf('outbound'), closed('b', 'c'))).toEqual([false, undefined])
  })

  it('is not taken while nothing may leave', () => {
    expect(next(loadedOf('outbound'), suspended(true))).toEqual([true, undefined])
  })
})

it('a new attempt has the next number, its route, a deadline, and nothing learnt', () => {
  const attempt = newAttempt({ attempts: [tried] }, routeOf('b'), {
    now: sampleNow,
    sendDeadlineMs: 1_000,
    clock: { now: () => sampleNow, monotonicMs: () => 5_000 },
  })
  expect(attempt).toMatchObject({
    ...routeOf('b'),
    attemptNo: 2,
    state: 'sending',
    reachedCustomer: false,
    notFoundCount: 0,
    inquiries: 0,
    pageInquiries: 0,
    forwardedReturns: 0,
    otpTries: 0,
    wrongOtps: 0,
    deadlineAt: new Date(sampleNow.getTime() + 1_000),
    sendBeforeMs: 6_000,
    createdAt: sampleNow,
    updatedAt: sampleNow,
  })
  expect(attempt.reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  expect(defaultSendDeadlineMs).toBe(45_000)
})

describe('the cost of an attempt', () => {
  const cost = { amountMinor: 3n, currency: 'NGN' }
  const fact = (change: object = {}): Fact => ({
    kind: 'accepted',
    providerRef: null,
    providerStatus: 'success',
    state: { state: 'completed' },
    cost,
    ...change,
  })
  const succeeded = unchanged('succeeded')

  it('is what the provider names for a success', () => {
    expect(costIn(succeeded, fact())).toEqual(cost)
    expect(costIn(unchanged('accepted'), fact())).toBeNull()
    expect(costIn({ ...succeeded, exception: 'amount_differs' }, fact())).toBeNull()
    expect(costIn(succeeded, fact({ cost: undefined }))).toBeNull()
    expect(costIn(succeeded, fact({ cost: { ...cost, amountMinor: 0n } }))).toBeNull()
    expect(costIn(succeeded, fact({ cost: { ...cost, amountMinor: 1n } }))).not.toBeNull()
    expect(costIn(succeeded, { kind: 'unknown', reason: 'timeout' })).toBeNull()
    expect(costIn(succeeded, undefined)).toBeNull()
  })

  it('is posted once', () => {
    const payment = samplePayout()
    const after = sampleAttempt({ cost, accountId: 'acc' })
    expect(costPostings(payment, sampleAttempt(), after)).toEqual([
      {
        causeId: payment.paymentId,
        kind: 'provider.cost',
        phase: 'posted',
        debit: 'provider_costs',
        credit: 'provider:paystack:acc',
        ...cost,
      },
    ])
    expect(costPostings(payment, after, after)).toEqual([])
    expect(costPostings(payment, sampleAttempt(), sampleAttempt())).toEqual([])
  })
})
