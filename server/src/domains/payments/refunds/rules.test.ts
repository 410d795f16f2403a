import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { targetPartOf, type Fact } from '../lifecycle/rules.ts'
import { defaultPollSchedule } from '../attempts/rules.ts'
import {
  amountFor,
  costAt,
  decideRefund,
  isRefundInDoubt,
  marketRateOf,
  sourceAmountOf,
  termsOfRefund,
  toReviewable,
} from './rules.ts'
import { forbidden } from '../../../lib/errors.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { exponentOf } from '../../../lib/money/money.ts'
import type { Refund, RefundState } from './record.ts'
import { noSums } from '../sums/record.ts'

const failure = { code: 'NOT_REFUNDABLE', message: 'no' }
type ProviderState = Extract<Fact, { kind: 'accepted' }>['state']
const said = (state: ProviderState): Fact => ({
  kind: 'accepted',
  providerRef: null,
  providerStatus: 'x',
  state,
})
const facts: Record<string, Fact> = {
  pending: said({ state: 'pending' }),
  processing: said({ state: 'processing' }),
  completed: said({ state: 'completed' }),
  canceled: said({ state: 'canceled' }),
  failed: said({ state: 'failed', failure }),
  declined: { kind: 'declined', failure, fallback: true },
  not_sent: { kind: 'not_sent', reason: 'x' },
  unknown: { kind: 'unknown', reason: 'x' },
}
const stateAfter = (state: RefundState): Record<string, RefundState> =>
  Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, decideRefund(state, fact).state]))

describe('decideRefund, over every combination', () => {
  const fromOpen = {
    pending: 'accepted',
    processing: 'accepted',
    completed: 'completed',
    canceled: 'failed',
    failed: 'failed',
    declined: 'failed',
    not_sent: 'failed',
  } as const

  it.each(['sending', 'unknown'] as const)('from %s', (state) => {
    expect(stateAfter(state)).toEqual({ ...fromOpen, unknown: 'unknown' })
  })

  it('from accepted; neither unknown nor "never received" takes the acceptance back', () => {
    expect(stateAfter('accepted')).toEqual({ ...fromOpen, unknown: 'accepted', not_sent: 'accepted' })
  })

  it.each(['completed', 'failed'] as const)('%s does not change', (state) => {
    expect(new Set(Object.values(stateAfter(state)))).toEqual(new Set([state]))
  })

  it('one that waits for approval does not change: nothing was sent, so no provider can know it', () => {
    for (const fact of Object.values(facts))
      expect(decideRefund('awaiting_approval', fact)).toEqual({ state: 'awaiting_approval' })
  })

  it('unknown never becomes failed', () => {
    const open: RefundState[] = ['sending', 'unknown', 'accepted']
    for (const state of open) expect(decideRefund(state, facts['unknown']!).failure).toBeUndefined()
  })

  it('a failure is given exactly when the refund fails by it', () => {
    const states: RefundState[] = ['sending', 'unknown', 'accepted', 'completed', 'failed']
    for (const state of states)
      for (const fact of Object.values(facts)) {
        const decision = decideRefund(state, fact)
        expect(decision.failure !== undefined).toBe(decision.state === 'failed' && state !== 'failed')
      }
  })

  it('a provider that contradicts the outcome of an ended refund raises an exception and changes nothing', () => {
    const contradictions = (['sending', 'unknown', 'accepted', 'completed', 'failed'] as const).flatMap(
      (state) =>
        Object.entries(facts).flatMap(([name, fact]) => {
          const { exception } = decideRefund(state, fact)
          return exception === undefined ? [] : [`${state}, then ${name}: ${exception}`]
        }),
    )
    expect(contradictions).toEqual([
      'completed, then failed: refund_reversed',
      'failed, then completed: refund_after_failure',
    ])
  })
})

describe('the cost of refunds of an exchanged payin', () => {
  const minor = fc.bigInt({ min: 1n, max: 10n ** 15n })
  const exchange = fc.record({ source: minor, target: minor, cuts: fc.array(minor, { maxLength: 12 }) })
  const paymentOf = (source: bigint, target: bigint, refundedMinor: bigint) => ({
    source: { amountMinor: source, currency: 'EUR' },
    target: { amountMinor: target, currency: 'NGN' },
    sums: { ...noSums, refundedMinor },
  })

  it('parts that add up to the payment cost exactly what it brought, and no part is negative or free of cost', () => {
    fc.assert(
      fc.property(exchange, ({ source, target, cuts }) => {
        let [refunded, debited] = [0n, 0n]
        for (const cut of [...cuts.map((one) => one % source), source]) {
          const { debitMinor, debitCurrency, excessMinor } = termsOfRefund(
            paymentOf(source, target, refunded),
            cut,
            null,
          )
          expect(debitCurrency).toBe('NGN')
          expect(debitMinor).toBeGreaterThanOrEqual(0n)
          refunded += cut - excessMinor
          debited += debitMinor
          // Never less than the rate says, and never a whole unit more.
          expect(debited * source).toBeGreaterThanOrEqual(refunded * target)
          expect((debited - 1n) * source).toBeLessThan(refunded * target === 0n ? 1n : refunded * target)
        }
        expect([refunded, debited]).toEqual([source, target])
      }),
    )
  })

  it('an amount in the target currency costs at most that much, and all that is left is all that is left', () => {
    fc.assert(
      fc.property(exchange, minor, ({ source, target, cuts }, wanted) => {
        const refunded = (cuts[0] ?? 0n) % source
        const payment = paymentOf(source, target, refunded)
        const left = target - targetPartOf(payment, refunded)
        const debit = wanted < left ? wanted : left
        const amount = sourceAmountOf(payment, debit)
        expect(amount).toBeLessThanOrEqual(source - refunded)
        if (amount > 0n) expect(termsOfRefund(payment, amount, null).debitMinor).toBeLessThanOrEqual(debit)
        if (debit === left) expect(amount).toBe(source - refunded)
      }),
    )
  })
})

describe('the cost of a refund at the market rate', () => {
  const currencies = fc.constantFrom('JPY', 'KWD', 'NGN', 'UGX', 'EUR')
  const exchange = fc.record({
    from: currencies,
    to: currencies,
    source: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    target: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    /** Each part is refunded at the payment's own rate, or at a rate of its time, as a quote would have it. */
    parts: fc.array(
      fc.record({
        cut: fc.bigInt({ min: 1n, max: 10n ** 13n }),
        perMillion: fc.integer({ min: 0, max: 10 ** 9 }),
      }),
      { maxLength: 8 },
    ),
  })
  const scaleOf = (currency: string): bigint => 10n ** BigInt(exponentOf(currency))

  it('is never less than what the payer gets is worth, and less than a minor unit more, whatever the parts before', () => {
    fc.assert(
      fc.property(exchange, ({ from, to, source, target, parts }) => {
        fc.pre(from !== to)
        const payment = (refundedMinor: bigint) => ({
          source: { amountMinor: source, currency: from },
          target: { amountMinor: target, currency: to },
          sums: { ...noSums, refundedMinor },
        })
        let [refunded, atOwnRate] = [0n, 0n]
        for (const { cut, perMillion } of [...parts, { cut: source, perMillion: 0 }]) {
          const amount = cut < source - refunded ? cut : source - refunded
          const quoted = toRate(String(perMillion)).div(1_000_000)
          const marketRate = perMillion === 0 ? null : marketRateOf(payment(refunded), quoted)
          const terms = termsOfRefund(payment(refunded), amount, marketRate)
          const cost = terms.debitMinor + terms.differenceMinor
          if (marketRate === null) expect(terms.differenceMinor).toBe(0n)
          else {
            // What the quote gives for the cost covers the refund, and a minor unit less would not.
            const gives = (minor: bigint): bigint => minor * BigInt(perMillion) * scaleOf(from)
            const wanted = amount * 1_000_000n * scaleOf(to)
            expect(gives(cost)).toBeGreaterThanOrEqual(wanted)
            expect(cost - (wanted / (BigInt(perMillion) * scaleOf(from)) + 1n)).toBeLessThanOrEqual(
              cost / 10n ** 17n,
            )
            expect(costAt(marketRate, amountFor(marketRate, cost))).toBeLessThanOrEqual(cost)
            expect(amountFor(marketRate, cost)).toBeGreaterThanOrEqual(amount)
          }
          refunded += amount
          atOwnRate += terms.debitMinor
        }
        // The difference is apart, so the parts still add up to what the payment brought.
        expect([refunded, atOwnRate]).toEqual([source, target])
      }),
    )
  })
})

it('a refund that failed says why', () => {
  const failureAfter = (name: string) => decideRefund('sending', facts[name]!).failure
  expect(failureAfter('failed')).toBe(failure)
  expect(failureAfter('declined')).toBe(failure)
  expect(failureAfter('canceled')).toEqual({
    code: 'REFUND_CANCELED',
    message: 'The provider canceled the refund.',
  })
  expect(failureAfter('not_sent')).toEqual({
    code: 'REFUND_NOT_SENT',
    message: 'The provider could not be reached. Nothing was refunded.',
  })
})

it('a refund that waits is reviewed like a payment: first by one person, then by another', () => {
  const waiting = { userId: 'requester', state: 'awaiting_approval' } as Refund
  const asked = { subject: 'refund', userId: 'requester', dependence: undefined }
  expect(toReviewable(waiting, { reviewers: [], dependence: undefined })).toEqual({
    ...asked,
    status: 'initiated',
    reviewers: [],
  })
  expect(toReviewable(waiting, { reviewers: ['first'], dependence: undefined })).toEqual({
    ...asked,
    status: 'reviewed',
    reviewers: ['first'],
  })
  const dependence = forbidden('Your colleague invited you.')
  expect(toReviewable(waiting, { reviewers: ['first'], dependence }).dependence).toBe(dependence)
})

it('a market rate has eighteen digits and is rounded up', () => {
  const marketRate = (from: string, to: string, quoted: string): string =>
    marketRateOf(
      { source: { amountMinor: 1n, currency: from }, target: { amountMinor: 1n, currency: to } },
      toRate(quoted),
    )
  expect(marketRate('GBP', 'EUR', '4')).toBe('0.25')
  expect(marketRate('GBP', 'EUR', '3')).toBe('0.333333333333333334')
  // The shilling has no minor unit, so one of them is worth a hundred times as many cents.
  expect(marketRate('UGX', 'EUR', '3')).toBe('33.3333333333333334')
  expect(marketRate('EUR', 'UGX', '0.0003')).toBe('33.3333333333333334')
})

it('an open refund is in doubt after two weeks', () => {
  const begunAt = new Date('2026-03-01T12:00:00Z')
  const isDoubted = (state: RefundState, ageMs: number): boolean =>
    isRefundInDoubt({ state, begunAt } as Refund, {
      pollSchedule: defaultPollSchedule,
      now: new Date(begunAt.getTime() + ageMs),
    })
  const twoWeeksMs = 14 * 24 * 3_600_000
  const states: RefundState[] = ['awaiting_approval', 'sending', 'unknown', 'accepted', 'completed', 'failed']
  expect(states.filter((state) => isDoubted(state, twoWeeksMs))).toEqual(['sending', 'unknown', 'accepted'])
  expect(states.filter((state) => isDoubted(state, twoWeeksMs - 1))).toEqual([])
})

it('a refund of a payin in its own currency costs its amount, and what exceeds the payment is excess', () => {
  const ngn = { amountMinor: 1_000n, currency: 'NGN' }
  const terms = (amountMinor: bigint) =>
    termsOfRefund({ source: ngn, target: ngn, sums: { ...noSums, refundedMinor: 400n } }, amountMinor, null)
  const ownRate = { debitCurrency: 'NGN', marketRate: null, differenceMinor: 0n }
  expect(terms(600n)).toEqual({ ...ownRate, debitMinor: 600n, excessMinor: 0n })
  expect(terms(700n)).toEqual({ ...ownRate, debitMinor: 600n, excessMinor: 100n })
})
