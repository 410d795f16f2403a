import { describe, expect, it } from 'vitest'
import type { ProviderState } from '../../../connectors/kit/state.ts'
import { defaultPollSchedule } from '../../payments/attempts/rules.ts'
import { providersFailed, type Fact } from '../../payments/lifecycle/rules.ts'
import {
  decideLeg,
  deliveryFailed,
  expired,
  expiryFrom,
  isLegInDoubt,
  type LegDecision,
  type Situation,
  type Step,
} from './rules.ts'

/** Each decision written down by hand, one by one. */
const failure = { code: 'X', message: 'no' }
const accepted = (state: ProviderState, received?: { amountMinor: bigint; currency: string }) => ({
  kind: 'accepted' as const,
  providerRef: null,
  providerStatus: 'x',
  state,
  received,
})
const failedBy = (code: string): Fact => accepted({ state: 'failed', failure: { code, message: 'no' } })
const pending = accepted({ state: 'pending' })
const processing = accepted({ state: 'processing' })
const completed = accepted({ state: 'completed' })
const canceled = accepted({ state: 'canceled' })
const failed = failedBy('X')
const notSent: Fact = { kind: 'not_sent', reason: 'x' }
const unknown: Fact = { kind: 'unknown', reason: 'x' }
const declined: Fact = { kind: 'declined', failure, fallback: false }
const declinedForNow: Fact = { kind: 'declined', failure, fallback: true }

const phases = {
  collection: 'collecting',
  whole: 'collecting',
  delivery: 'delivering',
  refund: 'refunding',
} as const
const situation = (kind: Situation['kind'], change: Partial<Situation> = {}): Situation => ({
  kind,
  state: 'sending',
  phase: phases[kind],
  hasNextRoute: true,
  reachedCustomer: false,
  expectedMinor: 100n,
  currency: 'UGX',
  receivedMinor: 0n,
  ...change,
})
const decide = (kind: Situation['kind'], fact: Fact, change: Partial<Situation> = {}): LegDecision =>
  decideLeg(situation(kind, change), fact)
const stepOf = (...given: Parameters<typeof decide>): [string, Step] => {
  const { state, step } = decide(...given)
  return [state, step]
}

describe('an open leg', () => {
  it('is in doubt once its provider has had its normal time', () => {
    const createdAt = new Date('2026-03-01T12:00:00Z')
    const inDoubt = (state: Situation['state'], ageMs: number): boolean =>
      isLegInDoubt(
        { state, createdAt },
        { pollSchedule: defaultPollSchedule, now: new Date(createdAt.getTime() + ageMs) },
      )
    const limitMs = defaultPollSchedule.unknownLimitMs
    expect([inDoubt('unknown', limitMs), inDoubt('unknown', limitMs + 1)]).toEqual([false, true])
    expect(inDoubt('succeeded', limitMs + 1)).toBe(false)
  })

  it('stays open on an answer that says nothing, and an accepted one stays accepted', () => {
    expect(stepOf('collection', unknown)).toEqual(['unknown', { kind: 'wait', status: 'processing' }])
    expect(stepOf('collection', unknown, { state: 'unknown' })).toEqual([
      'unknown',
      { kind: 'wait', status: 'processing' },
    ])
    for (const fact of [unknown, notSent])
      expect(stepOf('delivery', fact, { state: 'accepted' })).toEqual(['accepted', { kind: 'unchanged' }])
  })

  it.each([
    ['collection', pending, 'pending'],
    ['whole', pending, 'pending'],
    ['delivery', pending, 'processing'],
    ['refund', pending, 'processing'],
    ['collection', processing, 'processing'],
    ['whole', processing, 'processing'],
  ] as const)('%s: waits for the customer or for a provider', (kind, fact, status) => {
    expect(stepOf(kind, fact)).toEqual(['accepted', { kind: 'wait', status }])
  })
})

describe('a leg that succeeds', () => {
  it('collects, delivers or returns', () => {
    expect(decide('collection', completed)).toEqual({
      state: 'succeeded',
      step: { kind: 'collected' },
      receivedMinor: 100n,
    })
    // What is paid out is not received.
    for (const kind of ['delivery', 'whole'] as const)
      expect(decide(kind, completed, { receivedMinor: 40n })).toEqual({
        state: 'succeeded',
        step: { kind: 'complete' },
        receivedMinor: 40n,
      })
    expect(stepOf('refund', completed)).toEqual(['succeeded', { kind: 'returned' }])
  })

  it('after the end of the ramp brought money that a person decides about', () => {
    expect(stepOf('collection', completed, { phase: 'watching' })).toEqual([
      'succeeded',
      { kind: 'suspend', exception: 'ramp_paid_late', failure: expired },
    ])
  })
})

describe('a leg that ended without an effect', () => {
  const untouched = ['collection', 'whole'] as const
  it.each(untouched)('%s: goes to the next provider while the customer has seen nothing', (kind) => {
    expect(stepOf(kind, notSent)).toEqual(['not_sent', { kind: 'try_next' }])
    expect(stepOf(kind, declinedForNow)).toEqual(['declined', { kind: 'try_next' }])
  })

  it.each(untouched)('%s: fails the ramp otherwise', (kind) => {
    const refused = ['declined', { kind: 'fail', failure }]
    expect(stepOf(kind, declined)).toEqual(refused)
    expect(stepOf(kind, declinedForNow, { hasNextRoute: false })).toEqual(refused)
    expect(stepOf(kind, declinedForNow, { reachedCustomer: true })).toEqual(refused)
    expect(stepOf(kind, notSent, { hasNextRoute: false })).toEqual([
      'not_sent',
      { kind: 'fail', failure: providersFailed },
    ])
    expect(stepOf(kind, failed)).toEqual(['failed', { kind: 'fail', failure }])
    expect(stepOf(kind, canceled)).toEqual([
      'failed',
      { kind: 'fail', failure: { code: 'CANCELED', message: 'The provider canceled the payment.' } },
    ])
  })

  it('as a delivery is tried again, and the money goes back where that is over', () => {
    const back = { kind: 'return', failure }
    expect(stepOf('delivery', declinedForNow, { reachedCustomer: true })).toEqual([
      'declined',
      { kind: 'try_next' },
    ])
    expect(stepOf('delivery', declinedForNow, { hasNextRoute: false })).toEqual(['declined', back])
    expect(stepOf('delivery', declined)).toEqual(['declined', back])
    expect(stepOf('delivery', failed)).toEqual(['failed', back])
  })

  it('as a refund is tried again, and the money waits for a person where that is over', () => {
    const kept = { kind: 'suspend', exception: 'ramp_not_delivered', failure: deliveryFailed }
    expect(stepOf('refund', declinedForNow)).toEqual(['declined', { kind: 'try_next' }])
    expect(stepOf('refund', declinedForNow, { hasNextRoute: false })).toEqual(['declined', kept])
    expect(stepOf('refund', declined)).toEqual(['declined', kept])
    expect(stepOf('refund', failed)).toEqual(['failed', kept])
  })

  it('after a part was received leaves that part to a person, from the smallest unit on', () => {
    const kept = ['failed', { kind: 'suspend', exception: 'ramp_underpaid', failure }]
    expect(stepOf('collection', failed, { receivedMinor: 1n })).toEqual(kept)
    expect(stepOf('collection', failed)).toEqual(['failed', { kind: 'fail', failure }])
    expect(stepOf('delivery', failed, { receivedMinor: 100n })[1].kind).toBe('return')
  })
})

describe('a provider that carries both legs', () => {
  it('has given the money back, or could not', () => {
    expect(stepOf('whole', failedBy('RETURNED'))).toEqual(['failed', { kind: 'returned' }])
    expect(stepOf('whole', failedBy('RETURN_FAILED'))).toEqual([
      'failed',
      {
        kind: 'suspend',
        exception: 'ramp_not_delivered',
        failure: { code: 'RETURN_FAILED', message: 'no' },
      },
    ])
  })

  it('alone says so: the same words of another one are a failure', () => {
    expect(stepOf('collection', failedBy('RETURNED'))[1].kind).toBe('fail')
    expect(stepOf('delivery', failedBy('RETURNED'))[1].kind).toBe('return')
    expect(stepOf('delivery', failedBy('RETURN_FAILED'))[1].kind).toBe('return')
  })
})

describe('a closed leg', () => {
  const closed = (state: Situation['state'], fact: Fact, receivedMinor = 100n): LegDecision =>
    decide('collection', fact, { state, receivedMinor, phase: 'delivering' })
  const same = (state: Situation['state'], receivedMinor = 100n) => ({
    state,
    step: { kind: 'unchanged' },
    receivedMinor,
  })
  const arriving = (amountMinor: bigint, currency = 'UGX') => ({
    ...pending,
    received: { amountMinor, currency },
  })

  it('that is paid again moves what came on top to suspense', () => {
    for (const more of [1n, 30n])
      expect(closed('succeeded', arriving(100n + more))).toEqual({
        state: 'succeeded',
        step: { kind: 'paid_again', amountMinor: more },
        receivedMinor: 100n + more,
      })
    expect(closed('succeeded', arriving(100n))).toEqual(same('succeeded'))
    expect(closed('succeeded', arriving(130n, 'KES'))).toEqual(same('succeeded'))
    expect(closed('failed', arriving(130n))).toEqual(same('failed'))
    expect(decide('delivery', arriving(130n), { state: 'succeeded' }).step).toEqual({ kind: 'unchanged' })
  })

  it('that the provider contradicts needs a person', () => {
    const raised = (exception: string) => ({ kind: 'raise', exception })
    expect(closed('succeeded', failed).step).toEqual(raised('ramp_reversed'))
    for (const state of ['failed', 'declined', 'not_sent'] as const)
      expect(closed(state, completed).step).toEqual(raised('ramp_money_after_end'))
  })

  it('stays as it is when the provider says the same, or nothing', () => {
    expect(closed('succeeded', completed)).toEqual(same('succeeded'))
    for (const fact of [declined, notSent, unknown])
      expect(closed('succeeded', fact)).toEqual(same('succeeded'))
    for (const fact of [failed, pending, unknown]) expect(closed('failed', fact)).toEqual(same('failed'))
  })
})

it('the customer has half an hour, and is told why a ramp ended', () => {
  expect(expiryFrom(new Date('2026-03-01T12:00:00Z')).toISOString()).toBe('2026-03-01T12:30:00.000Z')
  expect([expired, deliveryFailed]).toEqual([
    { code: 'EXPIRED', message: expect.stringContaining('not paid in time') },
    { code: 'DELIVERY_FAILED', message: expect.stringContaining('collected but could not be paid out') },
  ])
})
