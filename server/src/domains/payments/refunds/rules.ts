import { Decimal } from 'decimal.js'
import type { Failure } from '../../../connectors/kit/state.ts'
import type { AppError } from '../../../lib/errors.ts'
import type { PollSchedule } from '../attempts/rules.ts'
import { RateDecimal, toRate, type Rate } from '../../../lib/money/decimal.ts'
import { exponentOf } from '../../../lib/money/money.ts'
import { targetPartOf, type Fact } from '../lifecycle/rules.ts'
import type { Payment } from '../record.ts'
import type { Reviewable } from '../reviews/rules.ts'
import type { PayinSums } from '../sums/record.ts'
import { divide, takenMinor } from '../sums/rules.ts'
import { isOpenRefund, type Refund, type RefundState } from './record.ts'

export interface RefundDecision {
  state: RefundState
  failure?: Failure
  /** The provider contradicts the outcome of an ended refund: nothing changes, and manual review is needed. */
  exception?: 'refund_after_failure' | 'refund_reversed'
}

const notSent: Failure = {
  code: 'REFUND_NOT_SENT',
  message: 'The provider could not be reached. Nothing was refunded.',
}

/** The provider has had its normal time to report the outcome. */
export const isRefundInDoubt = (
  refund: Refund,
  { pollSchedule, now }: { pollSchedule: PollSchedule; now: Date },
): boolean => isOpenRefund(refund) && now.getTime() - refund.begunAt.getTime() >= pollSchedule.refundLimitMs

/** Decides what a fact means for a refund. An ended refund does not change; an unknown one remains open. */
export function decideRefund(state: RefundState, fact: Fact): RefundDecision {
  // Nothing was sent, so no provider can know it.
  if (state === 'awaiting_approval') return { state }
  if (state === 'completed' || state === 'failed') return decideLate(state, fact)
  switch (fact.kind) {
    case 'accepted':
      return decideAccepted(fact.state)
    case 'declined':
      return { state: 'failed', failure: fact.failure }
    case 'not_sent':
      // An inquiry may conclude "never received" after a webhook has proved that the provider has it.
      return state === 'accepted' ? { state } : { state: 'failed', failure: notSent }
    case 'unknown':
      return { state: state === 'accepted' ? 'accepted' : 'unknown' }
  }
}

function decideLate(state: 'completed' | 'failed', fact: Fact): RefundDecision {
  const reported = fact.kind === 'accepted' ? fact.state.state : undefined
  if (state === 'failed' && reported === 'completed') return { state, exception: 'refund_after_failure' }
  if (state === 'completed' && reported === 'failed') return { state, exception: 'refund_reversed' }
  return { state }
}

function decideAccepted(provider: Extract<Fact, { kind: 'accepted' }>['state']): RefundDecision {
  switch (provider.state) {
    case 'completed':
      return { state: 'completed' }
    case 'failed':
      return { state: 'failed', failure: provider.failure }
    case 'canceled':
      return {
        state: 'failed',
        failure: { code: 'REFUND_CANCELED', message: 'The provider canceled the refund.' },
      }
    case 'pending':
    case 'processing':
      return { state: 'accepted' }
  }
}

/** As the rules of reviews see a refund that waits. */
export const toReviewable = (
  { userId }: Refund,
  { reviewers, dependence }: { reviewers: readonly string[]; dependence: AppError | undefined },
): Reviewable => ({
  subject: 'refund',
  status: reviewers.length === 0 ? 'initiated' : 'reviewed',
  userId,
  reviewers,
  dependence,
})

type RefundedPayment = Pick<Payment, 'source' | 'target' | 'sums'>

interface RefundTerms {
  debitMinor: bigint
  debitCurrency: string
  marketRate: string | null
  differenceMinor: bigint
  excessMinor: bigint
}

/** The sums once a refund of this amount is completed. */
export const refundedSums = (sums: PayinSums, amountMinor: bigint): PayinSums => ({
  ...sums,
  refundedMinor: sums.refundedMinor + amountMinor,
})

/**
 * What a refund costs when it is booked next, and how much of it exceeds what is left of the payment. The part of the
 * sum counts at the payment's own rate whatever the market says, so that later refunds, disputes and reversals add up.
 */
export function termsOfRefund(
  payment: RefundedPayment,
  amountMinor: bigint,
  marketRate: string | null,
): RefundTerms {
  const divided = divide(payment, refundedSums(payment.sums, amountMinor))
  const { bookedMinor, balanceMinor, excessMinor } = divided
  return {
    debitMinor: balanceMinor,
    debitCurrency: payment.target.currency,
    ...priceAt(marketRate, bookedMinor, balanceMinor),
    excessMinor,
  }
}

/** What the market rate makes of a debit at the payment's own rate. */
export const priceAt = (
  marketRate: string | null,
  amountMinor: bigint,
  debitMinor: bigint,
): Pick<RefundTerms, 'marketRate' | 'differenceMinor'> => ({
  marketRate,
  differenceMinor: marketRate === null ? 0n : costAt(marketRate, amountMinor) - debitMinor,
})

const rateDigits = 18

/**
 * Minor units of the currency that is debited for one minor unit of the refund, if a quote of this rate changes the one
 * into the other. Rounded up, so that it never costs the pool.
 */
export function marketRateOf({ source, target }: Pick<Payment, 'source' | 'target'>, quoted: Rate): string {
  const scale = new RateDecimal(10).pow(exponentOf(target.currency) - exponentOf(source.currency))
  return scale.div(quoted).toSignificantDigits(rateDigits, Decimal.ROUND_UP).toFixed()
}

/** What a refund costs at the market rate, rounded up. */
export const costAt = (marketRate: string, amountMinor: bigint): bigint =>
  BigInt(toRate(marketRate).mul(amountMinor.toString()).toDecimalPlaces(0, Decimal.ROUND_UP).toFixed())

/** The largest amount to refund that costs at most this much at the market rate. */
export const amountFor = (marketRate: string, debitMinor: bigint): bigint =>
  BigInt(toRate(debitMinor.toString()).div(marketRate).toDecimalPlaces(0, Decimal.ROUND_DOWN).toFixed())

/** The largest amount to refund whose debit does not exceed the given part of the target amount. */
export function sourceAmountOf(payment: RefundedPayment, debitMinor: bigint): bigint {
  const { source, target, sums } = payment
  const debitedMinor = targetPartOf(payment, takenMinor(sums)) + debitMinor
  return (debitedMinor * source.amountMinor) / target.amountMinor - takenMinor(sums)
}
