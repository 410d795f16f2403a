import { describe, expect, it } from 'vitest'
import type { NextAction } from '../../../connectors/kit/connector.ts'
import type { LoadedPayment, Payment, RouteCandidate, StoredAttempt } from '../record.ts'
import { noSums } from '../sums/record.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { accepted, sampleFailure as failure } from '../testing/sample-facts.ts'
import {
  planningDeps,
  sampleAttempt,
  sampleNow as now,
  samplePayout,
  sampleRoute,
  withAttempt,
  writtenTables,
} from '../testing/sample-payment.ts'
import { planFact } from './plan-fact.ts'
import type { Evidence } from './record.ts'

const completed = accepted({ state: 'completed' })
const declined: Fact = { kind: 'declined', failure, fallback: true }
const unknown: Fact = { kind: 'unknown', reason: 'timeout' }
const notSent: Fact = { kind: 'not_sent', reason: 'refused' }

const later = new Date(now.getTime() + 60_000)

function plan(loaded: LoadedPayment, fact: Fact | undefined, evidence: Partial<Evidence> = {}) {
  const deps = planningDeps(later)
  const change = planFact(deps, loaded, fact, { attemptNo: 1, canSend: false, ...evidence })
  const exception = change?.statements.find(({ sql }) => sql.startsWith('insert into "exceptions"'))
  return {
    change,
    payment: change?.result.payment,
    attempt: change?.result.attempts[0],
    following: change?.result.following,
    written: writtenTables(change?.statements ?? []),
    exception: exception?.parameters[2],
    findingKey: exception?.parameters.find((value) =>
      String(value).startsWith(String(exception.parameters[2]) + ' '),
    ),
  }
}
const open = (state: StoredAttempt['state'] = 'sending', payment: Partial<Payment> = {}): LoadedPayment =>
  withAttempt(samplePayout(payment), { state })
const payin = (change: Partial<Payment> = {}): Payment => samplePayout({ direction: 'inbound', ...change })

describe('what a fact writes', () => {
  it('is nothing where it says nothing new', () => {
    expect(plan(open(), undefined).change).toBeUndefined()
    const known = withAttempt(
      samplePayout({ provider: sampleRoute.provider, accountId: sampleRoute.accountId }),
      {
        state: 'unknown',
        outcomeCode: 'unknown',
        outcomeMessage: 'timeout',
      },
    )
    expect(plan(known, unknown).change).toBeUndefined()
  })

  it('is the payment and the attempt, then what belongs to them', () => {
    const written = ['update payments', 'insert events', 'insert deliveries']
    expect(plan(open(), completed).written).toEqual([
      ...written,
      'insert ledger_transfers',
      'delete outbox',
      'update attempts',
    ])
    const costly = accepted({ state: 'completed' }, { cost: { amountMinor: 3n, currency: 'NGN' } })
    expect(plan(open(), costly).written.at(-1)).toBe('insert ledger_transfers')
    expect(plan(open(), costly).attempt?.cost).toEqual({ amountMinor: 3n, currency: 'NGN' })
  })

  it('includes further statements, even where nothing else changes', () => {
    const extra = { sql: 'insert into inbox', parameters: [], query: undefined } as never // only its text is read
    expect(plan(open(), undefined, { extraStatements: [extra] }).written).toEqual([
      'update payments',
      'insert inbox',
    ])
  })

  it('refuses an attempt of another payment', () => {
    expect(() => plan(open(), completed, { attemptNo: 2 })).toThrow('does not belong')
  })

  it('changes the attempt that it is about, and no other', () => {
    const first = sampleAttempt({ state: 'declined' })
    const second = sampleAttempt({ attemptNo: 2, state: 'accepted' })
    const { change } = plan({ payment: samplePayout(), attempts: [first, second] }, completed, {
      attemptNo: 2,
    })
    expect(change?.result.attempts.map(({ state }) => state)).toEqual(['declined', 'succeeded'])
    expect(change?.result.attempts[0]).toBe(first)
  })

  it('has no card number in what the provider says', () => {
    const spoken = accepted({ state: 'pending' }, { providerStatus: 'card 4111111111111111 held' })
    expect(plan(open(), spoken).attempt?.providerStatus).not.toContain('4111111111111111')
  })
})

describe('the attempt afterwards', () => {
  it('keeps each state with its time', () => {
    const at = later.toISOString()
    expect(plan(open(), unknown).attempt?.stateChanges).toEqual([{ state: 'unknown', at }])
    const before = [{ state: 'unknown' as const, at: '2026-01-01T00:00:00.000Z' }]
    const known = withAttempt(samplePayout(), { state: 'unknown', stateChanges: before })
    expect(plan(known, completed).attempt?.stateChanges).toEqual([...before, { state: 'succeeded', at }])
    expect(plan(known, undefined, { isWrongOtp: true }).attempt?.stateChanges).toBe(before)
  })

  it('has the reason of its outcome', () => {
    const outcome = (fact: Fact, evidence: Partial<Evidence> = {}) => {
      const { attempt } = plan(open(), fact, evidence)
      return [attempt?.outcomeCode, attempt?.outcomeMessage]
    }
    expect(outcome(unknown)).toEqual(['unknown', 'timeout'])
    expect(outcome(notSent)).toEqual(['ALL_PROVIDERS_FAILED', expect.stringContaining('No provider')])
    expect(outcome(declined)).toEqual([failure.code, failure.message])
    expect(outcome(accepted({ state: 'failed', failure }))).toEqual([failure.code, failure.message])
    expect(outcome(completed)).toEqual([null, null])
    const noted = withAttempt(samplePayout(), {
      state: 'unknown',
      outcomeCode: 'unknown',
      outcomeMessage: 'timeout',
    })
    expect(plan(noted, accepted({ state: 'pending' })).attempt).toMatchObject({
      outcomeCode: 'unknown',
      outcomeMessage: 'timeout',
    })
  })

  it('has reached the customer by any action but waiting for the status', () => {
    const reached = (nextAction: NextAction | undefined) =>
      plan(open(), accepted({ state: 'pending' }, { nextAction })).attempt?.reachedCustomer
    expect(reached(undefined)).toBe(false)
    expect(reached({ type: 'check_status' })).toBe(false)
    expect(reached({ type: 'redirect', url: 'https://bank.test' } as NextAction)).toBe(true)
    const before = withAttempt(samplePayout(), { state: 'accepted', reachedCustomer: true })
    expect(plan(before, accepted({ state: 'pending' })).attempt?.reachedCustomer).toBe(true)
  })

  it('counts scheduled inquiries, wrong passwords and what was not found', () => {
    const inquiry = { result: 'unknown', detail: null, isScheduled: true }
    expect(plan(open('unknown'), undefined, { inquiry }).attempt?.inquiries).toBe(1)
    const { change } = plan(open('unknown'), undefined, { inquiry })
    const recorded = change?.statements.find(({ sql }) => sql.startsWith('insert into "inquiries"'))
    expect(recorded?.parameters.slice(3)).toEqual([1, 'unknown', null])
    const outside = { ...inquiry, isScheduled: false, notFoundCount: 2 }
    expect(plan(open('unknown'), undefined, { inquiry: outside }).attempt).toMatchObject({
      inquiries: 0,
      notFoundCount: 2,
    })
    expect(plan(open('accepted'), undefined, { isWrongOtp: true }).attempt?.wrongOtps).toBe(1)
    expect(plan(open('accepted'), undefined, { isWrongOtp: true }).attempt?.updatedAt).toBe(later)
    expect(plan(open('accepted'), completed).attempt?.wrongOtps).toBe(0)
  })

  it('keeps the resolution of people', () => {
    expect(plan(open('unknown'), completed, { resolutionId: 'r' }).attempt?.resolutionId).toBe('r')
    const decided = withAttempt(samplePayout(), { state: 'unknown', resolutionId: 'r' })
    expect(plan(decided, completed).attempt?.resolutionId).toBe('r')
  })
})

describe('the payment afterwards', () => {
  const of = (loaded: LoadedPayment, fact: Fact) => plan(loaded, fact).payment

  it('names the account of an attempt that a provider has, or may have', () => {
    const unnamed = { provider: null, accountId: null }
    const named = { provider: sampleRoute.provider, accountId: sampleRoute.accountId }
    expect(of(open('sending', unnamed), unknown)).toMatchObject(named)
    expect(of(open('sending', unnamed), completed)).toMatchObject(named)
    expect(of(open('sending', unnamed), declined)).toMatchObject(unnamed)
  })

  it('lies, once a payin is completed, where the account that collected it does', () => {
    const own = (change: Partial<Payment>) =>
      of(withAttempt(payin(change), { state: 'accepted', custody: 'own' }), completed)?.custody
    expect(own({ custody: null })).toBe('own')
    expect(of(withAttempt(payin(), { state: 'sending', custody: 'own' }), unknown)?.custody).toBeNull()
    const payout = withAttempt(samplePayout({ custody: 'pooled' }), { state: 'accepted', custody: 'own' })
    expect(of(payout, completed)?.custody).toBe('pooled')
  })

  it('has the provider’s details and the next action until it ends', () => {
    const nextAction = { type: 'check_status' } as const
    const pending = accepted({ state: 'pending' }, { nextAction })
    expect(of(open(), pending)).toMatchObject({
      providerPaymentId: 'ref',
      providerStatus: 'pending',
      nextAction,
      updatedAt: later,
    })
    expect(of(open('accepted', { nextAction }), completed)?.nextAction).toBeNull()
    expect(
      of(open('sending', { nextAction, providerPaymentId: 'p', providerStatus: 's' }), unknown),
    ).toMatchObject({
      nextAction,
      providerPaymentId: 'p',
      providerStatus: 's',
    })
  })

  it('keeps its time where only the attempt changes, and the other way round', () => {
    const counted = plan(open('accepted'), undefined, { isWrongOtp: true })
    expect([counted.payment?.updatedAt, counted.attempt?.updatedAt]).toEqual([now, later])
    const differing = accepted({ state: 'completed' }, { amount: { amountMinor: 1n, currency: 'NGN' } })
    expect(plan(open('accepted'), differing).attempt?.updatedAt).toBe(now)
  })

  it('does not move to another custody after its completion', () => {
    const paid = withAttempt(payin({ status: 'completed', custody: 'pooled' }), {
      state: 'succeeded',
      custody: 'own',
    })
    expect(plan(paid, undefined, { isWrongOtp: true }).payment?.custody).toBe('pooled')
  })

  it('has a failure until it is completed', () => {
    expect(of(open(), declined)).toMatchObject({ failureCode: failure.code, failureMessage: failure.message })
    const failed = open('failed', { status: 'failed', failureCode: 'X', failureMessage: 'x' })
    expect(of(failed, completed)).toMatchObject({ failureCode: null, failureMessage: null })
  })

  it('is refunded in full when the provider takes it back, and not before', () => {
    const paid = withAttempt(samplePayout({ status: 'completed' }), { state: 'succeeded' })
    const back = plan(paid, accepted({ state: 'canceled' }), { isAfterEnd: true })
    expect(back.payment).toMatchObject({ status: 'refunded', refundedMinor: 2_029n, failureCode: 'RETURNED' })
    expect(back.exception).toBe('payout_returned')
    expect(of(open(), completed)?.refundedMinor).toBe(0n)
  })

  it('keeps what a dispute returns after the provider has taken the rest back', () => {
    const sums = { ...noSums, reversedMinor: 2_000n, withdrawnMinor: 29n, returnedMinor: 29n }
    const refunded = withAttempt(payin({ status: 'refunded', refundedMinor: 2_029n, sums }), {
      state: 'succeeded',
    })
    const inquiry = { result: 'completed', detail: null, isScheduled: true }
    expect(plan(refunded, undefined, { inquiry }).payment?.sums).toBe(sums)
  })
})

describe('a first acceptance', () => {
  const isFirst = (state: StoredAttempt['state'], fact: Fact): boolean =>
    JSON.stringify(
      plan(open(state), fact).change?.statements.map(({ parameters }) => parameters.map(String)),
    ).includes('payment.processing')

  it('is an event of its own', () => {
    expect(isFirst('sending', accepted({ state: 'pending' }))).toBe(true)
    expect(isFirst('unknown', accepted({ state: 'pending' }))).toBe(true)
    expect(isFirst('accepted', accepted({ state: 'pending' }))).toBe(false)
    expect(isFirst('sending', declined)).toBe(false)
  })
})

describe('the next route', () => {
  const routes: RouteCandidate[] = [sampleRoute, { ...sampleRoute, configId: 'second', accountId: 'b' }]
  const routed = samplePayout({ routing: { candidates: routes, considered: [] } })

  it('gets an attempt of its own where the details are at hand', () => {
    const { following, written, change } = plan(withAttempt(routed, {}), declined, { canSend: true })
    expect(following).toMatchObject({ attemptNo: 2, configId: 'second', state: 'sending', createdAt: later })
    expect(following?.deadlineAt).toEqual(new Date(later.getTime() + 1_000))
    expect(written).toContain('insert attempts')
    expect(change?.result.attempts).toHaveLength(2)
    expect(plan(withAttempt(routed, {}), declined).following).toBeUndefined()
    expect(plan(withAttempt(routed, {}), completed, { canSend: true }).written).not.toContain(
      'insert attempts',
    )
  })

  it('leaves what the route before it said in its attempt', () => {
    const outcome = (fact: Fact) => {
      const { attempt } = plan(withAttempt(routed, {}), fact, { canSend: true })
      return [attempt?.state, attempt?.outcomeCode, attempt?.outcomeMessage]
    }
    expect(outcome(declined)).toEqual(['declined', failure.code, failure.message])
    expect(outcome(notSent)).toEqual(['not_sent', 'not_sent', 'refused'])
  })

  it('is not prepared while nothing may leave', () => {
    const suspended = { isOutflow: true, isTemporary: true, accountIds: new Set<string>() }
    const { payment, following } = plan(withAttempt(routed, {}), declined, { canSend: true, suspended })
    expect([payment?.status, following]).toEqual(['processing', undefined])
  })
})
