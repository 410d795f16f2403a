import { describe, expect, it, vi } from 'vitest'
import type { LoadedPayment, Payment, StoredAttempt } from '../record.ts'
import type { Fact } from '../lifecycle/rules.ts'
import { noSums } from '../sums/record.ts'
import { accepted, sampleFailure as failure } from '../testing/sample-facts.ts'
import {
  planningDeps,
  sampleAttempt,
  sampleNow as now,
  samplePayout,
  withAttempt,
} from '../testing/sample-payment.ts'
import { amountDiffers, isCertainReversal, planFact } from './plan-fact.ts'
import type { Evidence } from './record.ts'

const completed = accepted({ state: 'completed' })
const failed = accepted({ state: 'failed', failure })
const canceled = accepted({ state: 'canceled' })
const notSent: Fact = { kind: 'not_sent', reason: 'refused' }
const payin = (change: Partial<Payment> = {}): Payment => samplePayout({ direction: 'inbound', ...change })

/** The status afterwards, the kind of the exception, and what the planned statements carry. */
function plan(loaded: LoadedPayment, fact: Fact | undefined, evidence: Partial<Evidence> = {}) {
  const deps = planningDeps(now)
  const change = planFact(deps, loaded, fact, { attemptNo: 1, canSend: false, ...evidence })
  const statements = change?.statements ?? []
  const raised: readonly unknown[] =
    statements.find(({ sql }) => /^insert into "exceptions" .*"payment_id"/.test(sql))?.parameters ?? []
  return {
    statements,
    payment: change?.result.payment ?? loaded.payment,
    attempt: change?.result.attempts[0],
    raised,
    story: `${change?.result.payment.status ?? 'unchanged'} ${typeof raised[2] === 'string' ? raised[2] : 'quietly'}`,
  }
}

describe('another amount than the payment’s', () => {
  const ofAmount = (amountMinor: bigint, currency: string): Fact =>
    accepted({ state: 'completed' }, { amount: { amountMinor, currency } })
  const payment = samplePayout({
    source: { amountMinor: 1n, currency: 'GBP' },
    target: { amountMinor: 2n, currency: 'NGN' },
  })

  it('differs by its value or its currency from what the provider was to move', () => {
    expect(amountDiffers(payment, ofAmount(2n, 'NGN'))).toBe(false)
    expect(amountDiffers(payment, ofAmount(3n, 'NGN'))).toBe(true)
    expect(amountDiffers(payment, ofAmount(2n, 'GBP'))).toBe(true)
    expect(amountDiffers({ ...payment, direction: 'inbound' }, ofAmount(1n, 'GBP'))).toBe(false)
  })

  it('matters only for a completion that names it', () => {
    const pending = accepted({ state: 'pending' }, { amount: { amountMinor: 9n, currency: 'NGN' } })
    expect([completed, pending, notSent].map((fact) => amountDiffers(payment, fact))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('is raised, and changes nothing else', () => {
    const loaded = withAttempt(payment, { state: 'accepted', providerRef: null })
    const { story, attempt, payment: after } = plan(loaded, ofAmount(3n, 'NGN'))
    expect(story).toBe('processing amount_differs')
    expect([attempt?.state, attempt?.providerRef, after.providerStatus]).toEqual(['accepted', null, null])
  })
})

describe('a reversal is certain', () => {
  const reversal = (fact: Fact, evidence: Partial<Evidence> = {}): boolean =>
    isCertainReversal(fact, { isAfterEnd: true, ...evidence })
  const inquiry = { result: 'failed', detail: null, isScheduled: false }
  const named = (code: string): Fact => accepted({ state: 'failed', failure: { code, message: 'x' } })

  it('where the provider names it, or answers so', () => {
    expect(reversal(canceled)).toBe(true)
    expect(reversal(named('REVERSED'))).toBe(true)
    expect(reversal(named('RETURNED'))).toBe(true)
    expect(reversal(failed)).toBe(false)
    expect(reversal(failed, { inquiry })).toBe(true)
  })

  it('never before the end, beside an open refund, or without a word of the provider', () => {
    expect(reversal(canceled, { isAfterEnd: false })).toBe(false)
    expect(isCertainReversal(canceled, {})).toBe(false)
    expect(reversal(canceled, { mayBeKnown: true })).toBe(false)
    expect(reversal(canceled, { mayBeKnown: false })).toBe(true)
    expect(reversal(notSent, { inquiry })).toBe(false)
  })
})

describe('a provider that takes back a success', () => {
  const paid = (payment: Payment, change: Partial<StoredAttempt> = {}): LoadedPayment =>
    withAttempt({ ...payment, status: 'completed' }, { state: 'succeeded', providerRef: 'p-1', ...change })
  const after = { isAfterEnd: true }

  it('is believed where it is certain', () => {
    expect(plan(paid(samplePayout()), canceled, after).story).toBe('refunded payout_returned')
    expect(plan(paid(samplePayout({ fundingAccountId: 'v' })), canceled, after).story).toBe(
      'refunded returned_to_account',
    )
    expect(plan(paid(payin()), canceled, after).story).toBe('refunded payin_reversed')
    expect(plan(paid(payin()), failed, after).story).toBe('completed reversed_after_completion')
    expect(plan(paid(samplePayout()), failed, after).story).toBe('completed reversed_after_completion')
  })

  it('takes back what refunds have left of a payin, and nothing is counted of a payout', () => {
    const sums = { ...noSums, refundedMinor: 29n }
    const reversed = plan(paid(payin({ sums })), canceled, after).payment
    expect(reversed.sums).toEqual({ ...sums, reversedMinor: 2_000n })
    expect(reversed.refundedMinor).toBe(2_029n)
    expect(plan(paid(samplePayout()), canceled, after).payment.sums).toBe(noSums)
  })

  it('while a refund is under way names the exception by which the excess is settled', () => {
    const sums = { ...noSums, refundingMinor: 1n }
    const { payment, raised } = plan(paid(payin({ sums })), canceled, after)
    expect(payment.sums).toMatchObject({ reversedMinor: 2_029n, exceptionId: expect.any(String) })
    expect(raised).toContain(payment.sums.exceptionId)
  })

  it('has its new details taken over with the refund, and not before', () => {
    expect(plan(paid(samplePayout()), canceled, after).payment.providerStatus).toBe('canceled')
    const doubtful = plan(paid(payin()), failed, after)
    expect([doubtful.payment.providerStatus, doubtful.payment.failureCode]).toEqual([null, null])
    expect(doubtful.payment.version).toBe(4)
  })

  it('raises each finding once for an attempt', () => {
    const loaded = paid(payin())
    const { raised } = plan(loaded, failed, after)
    expect(raised).toContain(`reversed_after_completion ${loaded.payment.paymentId} 1`)
    expect(raised).toEqual(expect.arrayContaining([loaded.payment.paymentId, 'paystack']))
    expect(raised.some((value) => String(value).startsWith('The provider reports that'))).toBe(true)
  })

  it('cannot have it back: a success after its reversal is outdated', () => {
    const reversed = withAttempt(payin({ status: 'canceled' }), { state: 'failed', outcomeCode: 'REVERSED' })
    expect(plan(reversed, completed).story).toBe('unchanged quietly')
    const other = withAttempt(payin({ status: 'canceled' }), { state: 'failed', outcomeCode: 'X' })
    expect(plan(other, completed).story).toBe('canceled money_after_end')
  })
})

it('money after the end changes nothing about the payment', () => {
  const ended = withAttempt(payin({ status: 'canceled' }), { state: 'unknown' })
  const { story, payment } = plan(ended, completed)
  expect(story).toBe('canceled money_after_end')
  expect([payment.providerPaymentId, payment.providerStatus, payment.accountId]).toEqual([null, null, null])
})

describe('what people decided', () => {
  const decided = (change: Partial<StoredAttempt>, payment: Partial<Payment> = {}): LoadedPayment =>
    withAttempt(samplePayout({ status: 'completed', ...payment }), {
      state: 'succeeded',
      resolutionId: 'r',
      ...change,
    })

  it('is contradicted by a provider that says otherwise', () => {
    expect(plan(decided({}), failed, { isAfterEnd: true }).story).toBe('completed resolution_contradicted')
    const returned = { outcomeCode: 'RETURNED' }
    expect(plan(decided(returned, { status: 'refunded' }), completed).story).toBe(
      'refunded resolution_contradicted',
    )
  })

  it('is confirmed by a provider that says the same', () => {
    expect(plan(decided({}), completed).story).toBe('unchanged quietly')
    expect(plan(decided({ outcomeCode: 'RETURNED' }), failed, { isAfterEnd: true }).story).toBe(
      'unchanged quietly',
    )
  })

  it('about a failed payment is contradicted by a late success', () => {
    const late = decided({ state: 'failed' }, { status: 'failed' })
    expect(plan(late, completed).story).toBe('completed resolution_contradicted')
  })
})

describe('a payment that reached no provider', () => {
  const failureOf = (loaded: LoadedPayment, evidence: Partial<Evidence> = {}): (string | null)[] => {
    const { payment } = plan(loaded, notSent, { attemptNo: loaded.attempts.length, ...evidence })
    return [payment.failureCode, payment.failureMessage]
  }
  const refused = (change: Partial<StoredAttempt>): LoadedPayment => ({
    payment: samplePayout({ method: 'card' }),
    attempts: [
      sampleAttempt({ state: 'declined', outcomeCode: 'OLD', outcomeMessage: 'old', configId: 'x' }),
      sampleAttempt({
        attemptNo: 2,
        state: 'declined',
        outcomeCode: 'NEW',
        outcomeMessage: 'new',
        ...change,
      }),
      sampleAttempt({ attemptNo: 3 }),
    ],
  })

  it('failed by what the last route refused, if one did', () => {
    expect(failureOf(refused({}))).toEqual(['NEW', 'new'])
    expect(failureOf(refused({ state: 'not_sent' }))).toEqual(['OLD', 'old'])
    expect(failureOf(refused({ outcomeCode: null }))[0]).toBe('CARD_DETAILS_GONE')
    expect(failureOf(refused({ outcomeMessage: null }))[0]).toBe('CARD_DETAILS_GONE')
  })

  it('failed by all providers, or by a card that nobody has any more', () => {
    const [card, transfer] = (['card', 'bank_transfer'] as const).map((method) =>
      withAttempt(samplePayout({ method }), {}),
    )
    if (!card || !transfer) throw new Error('there are two')
    expect(failureOf(transfer)[0]).toBe('ALL_PROVIDERS_FAILED')
    expect(failureOf(card)[0]).toBe('CARD_DETAILS_GONE')
    expect(failureOf(card, { canSend: true })[0]).toBe('ALL_PROVIDERS_FAILED')
  })
})

describe('an outcome that is not known', () => {
  const soonerAt = (loaded: LoadedPayment, fact: Fact | undefined, evidence: Partial<Evidence> = {}) =>
    plan(loaded, fact, evidence).statements.find(({ sql }) => sql.startsWith('update "outbox"'))
      ?.parameters[0]
  const unknown: Fact = { kind: 'unknown', reason: 'timeout' }

  it('is inquired about a second later, unless that has begun', () => {
    // Jobs are due by their delay from the time of the process.
    vi.setSystemTime(now)
    expect(soonerAt(withAttempt(samplePayout(), {}), unknown)).toBe(1_000)
    vi.useRealTimers()
    expect(soonerAt(withAttempt(samplePayout(), { inquiries: 1 }), unknown)).toBeUndefined()
    expect(soonerAt(withAttempt(samplePayout(), {}), accepted({ state: 'pending' }))).toBeUndefined()
    const ended = withAttempt(samplePayout({ status: 'canceled' }), { state: 'unknown' })
    expect(soonerAt(ended, undefined, { isWrongOtp: true })).toBeUndefined()
  })

  it('leaves a closed attempt and an ended payment as they are', () => {
    expect(
      plan(withAttempt(samplePayout({ status: 'failed' }), { state: 'declined' }), unknown).payment.status,
    ).toBe('failed')
  })
})
