import { describe, expect, it } from 'vitest'
import type { NextAction } from '../../../connectors/kit/connector.ts'
import type { ProviderState } from '../../../connectors/kit/state.ts'
import { sampleNow, samplePayout } from '../../payments/testing/sample-payment.ts'
import { planLeg, situationOf, type LegChange, type LegFact } from './plan-leg.ts'
import { newLeg } from './prepare-leg.ts'
import type { Leg, LegKind, LegRoute, LoadedRamp, Ramp, RampRoute } from './record.ts'
import type { LegDecision } from './rules.ts'

/** What a fact about a leg writes, without the database. */
const failure = { code: 'X', message: 'no' }
const later = new Date(sampleNow.getTime() + 60_000)
const deps = { clock: { now: () => later, monotonicMs: () => 5_000 }, sendDeadlineMs: 1_000 }

const first = (name: string): LegRoute => ({
  provider: name,
  configId: `config of ${name}`,
  accountId: `account of ${name}`,
  custody: 'own',
  method: 'mobile_money',
})
const route = (name: string, isWhole = false): RampRoute => ({
  provider: `${name} ramps`,
  configId: `config of ${name}`,
  first: first(name),
  isWhole,
  deliveries: [],
})
const ramp = (change: Partial<Ramp> = {}): Ramp => ({
  direction: 'on_ramp',
  fiat: { amountMinor: 369_550n, currency: 'UGX' },
  crypto: { amountMinor: 100n, currency: 'USDC' },
  network: 'BASE',
  rate: '3695.5',
  walletAddress: 'w',
  routes: [route('one'), route('two'), route('three', true)],
  phase: 'collecting',
  receivedMinor: 0n,
  suspendedMinor: 0n,
  expiresAt: sampleNow,
  ...change,
})
const legOf = (kind: LegKind, change: Partial<Leg> = {}, name = 'one'): Leg => ({
  ...newLeg({ ramp: ramp(), legs: [] }, kind, first(name), {
    now: sampleNow,
    sendDeadlineMs: 1_000,
    clock: { now: () => sampleNow },
  }),
  ...change,
})
const loadedWith = (legs: Leg[], change: Partial<Ramp> = {}): LoadedRamp => ({
  payment: samplePayout({ provider: null }),
  ramp: ramp(change),
  legs,
})
const accepted = (change: Partial<Extract<LegFact, { kind: 'accepted' }>> = {}): LegFact => ({
  kind: 'accepted',
  providerRef: 'ref',
  providerStatus: 'waiting',
  state: { state: 'pending' } satisfies ProviderState,
  ...change,
})
const wait: LegDecision = { state: 'accepted', step: { kind: 'wait', status: 'pending' }, receivedMinor: 0n }
const same = (state: Leg['state']): LegDecision => ({ state, step: { kind: 'unchanged' }, receivedMinor: 0n })

function plan(
  leg: Leg,
  fact: LegFact | undefined,
  decision: LegDecision,
  { loaded = loadedWith([leg]), ...evidence }: LegChange['evidence'] & { loaded?: LoadedRamp } = {},
) {
  return planLeg(deps, loaded, { leg, fact, decision, evidence })
}
const redirect: NextAction = { type: 'redirect', url: 'https://bank.test' }
const instructions = (expires_at: string): NextAction =>
  ({ type: 'bank_transfer', instructions: { expires_at } }) as unknown as NextAction // the rest is not read
const checked: NextAction = { type: 'check_status' }

describe('what the rules hear of a leg', () => {
  it('is its own state, and whether there is another route that was not tried', () => {
    const tried = legOf('collection', { state: 'declined', reachedCustomer: true })
    const loaded = loadedWith([tried], { receivedMinor: 3n, phase: 'watching' })
    expect(situationOf(loaded, tried)).toEqual({
      kind: 'collection',
      state: 'declined',
      phase: 'watching',
      hasNextRoute: true,
      reachedCustomer: true,
      expectedMinor: 369_550n,
      currency: 'UGX',
      receivedMinor: 3n,
    })
    const all = ['one', 'two', 'three'].map((name) => legOf('collection', {}, name))
    expect(situationOf(loadedWith(all), tried).hasNextRoute).toBe(false)
    const others = ['two', 'three'].map((name) => legOf('collection', {}, name))
    expect(situationOf(loadedWith(others), tried).hasNextRoute).toBe(true)
    const renamed = all.map((leg) => ({ ...leg, configId: 'of another configuration' }))
    expect(situationOf(loadedWith(renamed), tried).hasNextRoute).toBe(true)
  })

  it.each(['delivery', 'refund'] as const)('is that a %s may be tried thirty times in all', (kind) => {
    const tries = (count: number) => Array.from({ length: count }, () => legOf(kind))
    const hasNext = (legs: Leg[]): boolean => situationOf(loadedWith(legs), legOf(kind)).hasNextRoute
    expect([hasNext(tries(29)), hasNext(tries(30))]).toEqual([true, false])
    expect(hasNext([...tries(29), legOf('collection')])).toBe(true)
  })
})

describe('a leg that its provider accepts', () => {
  it('has what the provider says, and so has its payment, for the first time', () => {
    const { leg, patch, isFirstAcceptance } = plan(legOf('collection'), accepted(), wait)
    expect(leg).toMatchObject({
      state: 'accepted',
      providerRef: 'ref',
      providerStatus: 'waiting',
      outcomeCode: null,
      outcomeMessage: null,
      reachedCustomer: false,
      updatedAt: later,
    })
    expect(patch).toEqual({ provider: 'one ramps', providerStatus: 'waiting', providerPaymentId: 'ref' })
    expect(isFirstAcceptance).toBe(true)
  })

  it('keeps the reference that it has where the answer has none', () => {
    const known = legOf('collection', { state: 'accepted', providerRef: 'known' })
    const { leg, patch, isFirstAcceptance } = plan(known, accepted({ providerRef: null }), wait)
    expect([leg.providerRef, 'providerPaymentId' in patch, isFirstAcceptance]).toEqual([
      'known',
      false,
      false,
    ])
  })

  it.each([
    ['shows its id at the account of the organisation', 'own', 'id', 'id'],
    ['shows our reference there too, where the provider has no other id', 'own', 'ours', 'ours'],
    ['shows its id at an account of the installation', 'pooled', 'id', 'id'],
    ['hides our reference there', 'pooled', 'ours', undefined],
  ] as const)('%s', (_what, custody, providerRef, shown) => {
    const { leg, patch } = plan(
      legOf('collection', { custody, reference: 'ours' }),
      accepted({ providerRef }),
      wait,
    )
    expect([leg.providerRef, patch.providerPaymentId]).toEqual([providerRef, shown])
  })

  it.each(['accepted', 'succeeded', 'failed'] as const)('is not the first after one that %s', (state) => {
    const leg = legOf('delivery', { legNo: 2 })
    const loaded = loadedWith([legOf('collection', { state }), leg])
    expect(plan(leg, accepted(), wait, { loaded }).isFirstAcceptance).toBe(false)
  })

  it('that was declined elsewhere before is the first all the same', () => {
    const leg = legOf('collection', { legNo: 2 }, 'two')
    const loaded = loadedWith([legOf('collection', { state: 'declined' }), leg])
    const { isFirstAcceptance, patch } = plan(leg, accepted(), wait, { loaded })
    expect([isFirstAcceptance, patch.provider]).toEqual([true, 'two ramps'])
  })

  it('of a route that no list has any more is named by its own provider', () => {
    const leg = legOf('collection')
    const loaded = loadedWith([leg], { routes: [] })
    expect(plan(leg, accepted(), wait, { loaded }).patch.provider).toBe('one')
  })

  it('after its end says nothing about the payment', () => {
    const ended = legOf('collection', { state: 'failed', providerStatus: 'failed' })
    const { leg, patch, isFirstAcceptance } = plan(ended, accepted(), same('failed'))
    expect([leg.providerStatus, patch, isFirstAcceptance]).toEqual(['failed', {}, false])
  })
})

describe('what the customer has to do', () => {
  it('is shown with the payment, and reaches them unless they only wait', () => {
    const asked = plan(legOf('collection'), accepted({ nextAction: redirect }), wait)
    expect([asked.patch.nextAction, asked.leg.reachedCustomer]).toEqual([redirect, true])
    const waiting = plan(legOf('whole'), accepted({ nextAction: checked }), wait)
    expect([waiting.patch.nextAction, waiting.leg.reachedCustomer]).toEqual([checked, false])
    const reached = legOf('collection', { reachedCustomer: true })
    expect(plan(reached, accepted(), wait).leg.reachedCustomer).toBe(true)
  })

  it('is nothing of a delivery, and nothing once the ramp has ended', () => {
    const delivery = plan(legOf('delivery'), accepted({ nextAction: redirect }), wait)
    expect('nextAction' in delivery.patch).toBe(false)
    const fail: LegDecision = { state: 'failed', step: { kind: 'fail', failure }, receivedMinor: 0n }
    expect(plan(legOf('collection'), accepted({ nextAction: redirect }), fail).patch.nextAction).toBeNull()
  })

  it('has the time that the provider gives, while the ramp collects', () => {
    const until = '2026-03-02T00:00:00.000Z'
    const expiry = (action: NextAction | undefined, change: Partial<Ramp> = {}): string => {
      const leg = legOf('collection')
      const loaded = loadedWith([leg], change)
      return plan(leg, accepted({ nextAction: action }), wait, { loaded }).ramp.expiresAt.toISOString()
    }
    const ours = sampleNow.toISOString()
    expect(expiry(instructions(until))).toBe(until)
    expect(expiry({ ...instructions(until), type: 'crypto_transfer' } as NextAction)).toBe(until)
    expect(expiry({ ...instructions(until), type: 'redirect' } as unknown as NextAction)).toBe(ours)
    expect(expiry(instructions('soon'))).toBe(ours)
    expect(expiry(instructions(until), { phase: 'delivering' })).toBe(ours)
    expect([expiry(redirect), expiry(undefined)]).toEqual([ours, ours])
  })
})

describe('the outcome of a leg', () => {
  const outcome = (fact: LegFact | undefined, leg = legOf('collection'), state: Leg['state'] = 'failed') => {
    const { outcomeCode, outcomeMessage } = plan(leg, fact, same(state)).leg
    return [outcomeCode, outcomeMessage]
  }

  it('is the reason of its provider, or why nobody knows', () => {
    expect(outcome({ kind: 'declined', failure, fallback: false })).toEqual(['X', 'no'])
    expect(outcome(accepted({ state: { state: 'failed', failure } }))).toEqual(['X', 'no'])
    expect(outcome({ kind: 'unknown', reason: 'timeout' })).toEqual(['unknown', 'timeout'])
    expect(outcome({ kind: 'not_sent', reason: 'refused' })).toEqual(['not_sent', 'refused'])
  })

  it('stays where nothing is said about it', () => {
    const noted = legOf('collection', { outcomeCode: 'unknown', outcomeMessage: 'timeout' })
    for (const fact of [accepted(), undefined]) expect(outcome(fact, noted)).toEqual(['unknown', 'timeout'])
  })

  it('that is not known names the provider with the payment, and nothing else', () => {
    const fact: LegFact = { kind: 'unknown', reason: 'timeout' }
    expect(plan(legOf('collection'), fact, same('unknown')).patch).toEqual({ provider: 'one ramps' })
    expect(plan(legOf('collection'), fact, same('accepted')).patch).toEqual({})
  })

  it('counts the questions that were asked', () => {
    const asked = legOf('collection', { polls: 2, notFoundCount: 1 })
    expect(plan(asked, undefined, same('unknown'), { poll: { notFoundCount: 3 } }).leg).toMatchObject({
      polls: 3,
      notFoundCount: 3,
    })
    expect(plan(asked, undefined, same('unknown')).leg).toMatchObject({ polls: 2, notFoundCount: 1 })
  })
})

describe('the next route', () => {
  const next: LegDecision = { state: 'declined', step: { kind: 'try_next' }, receivedMinor: 0n }
  const declined: LegFact = { kind: 'declined', failure, fallback: true }

  it('begins with a leg of its own', () => {
    const { following } = plan(legOf('collection'), declined, next)
    expect(following).toMatchObject({
      legNo: 2,
      kind: 'collection',
      provider: 'two',
      state: 'sending',
      createdAt: later,
      deadlineAt: new Date(later.getTime() + 1_000),
      sendBeforeMs: 6_000,
    })
  })

  it('may be one provider for both legs', () => {
    const legs = [legOf('collection'), legOf('collection', { legNo: 2 }, 'two')]
    const last = legs[1] as Leg // there are two
    expect(plan(last, declined, next, { loaded: loadedWith(legs) }).following).toMatchObject({
      legNo: 3,
      kind: 'whole',
      provider: 'three',
    })
    const other = legOf('whole', {}, 'three')
    expect(plan(other, declined, next, { loaded: loadedWith([other]) }).following?.provider).toBe('one')
  })

  it('is not begun for a delivery, or by any other decision', () => {
    expect(plan(legOf('delivery'), declined, next).following).toBeUndefined()
    expect(plan(legOf('collection'), declined, same('declined')).following).toBeUndefined()
  })
})
