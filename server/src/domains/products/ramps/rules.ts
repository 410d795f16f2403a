import { Decimal } from 'decimal.js'
import type { Failure } from '../../../connectors/kit/state.ts'
import type { RampDirection } from '../../../connectors/kit/ramp-details.ts'
import { RateDecimal, toRate, type Rate } from '../../../lib/money/decimal.ts'
import { exponentOf, type Money } from '../../../lib/money/money.ts'
import { isOpen, providersFailed, type AttemptState, type Fact } from '../../payments/lifecycle/rules.ts'
import type { RampException } from './errors.ts'
import type { PollSchedule } from '../../payments/attempts/rules.ts'
import type { Leg, LegKind, Phase } from './record.ts'

const lifetimeMs = 30 * 60_000

/** Until when the customer can pay. */
export const expiryFrom = (now: Date): Date => new Date(now.getTime() + lifetimeMs)

const driftTolerance = new RateDecimal('0.005')

/** More than 0.5 percent from the live rate; both rates are in the direction in which the money flows. */
export const hasDrifted = (clientRate: Rate, liveRate: Rate): boolean =>
  clientRate.sub(liveRate).abs().gt(liveRate.mul(driftTolerance))

/** The lower of the two, so that the customer never receives more than the market gives. */
export const appliedRate = (clientRate: Rate, liveRate: Rate): Rate => RateDecimal.min(clientRate, liveRate)

/** Fiat times the rate when crypto is bought, divided by it when crypto is sold; rounded down to the asset's unit. */
export function cryptoAmount(direction: RampDirection, fiat: Money, rate: Rate, asset: string): Money {
  const major = toRate(fiat.amountMinor.toString()).div(new RateDecimal(10).pow(exponentOf(fiat.currency)))
  const crypto = direction === 'on_ramp' ? major.mul(rate) : major.div(rate)
  const minor = crypto.mul(new RateDecimal(10).pow(exponentOf(asset)))
  return { amountMinor: BigInt(minor.toDecimalPlaces(0, Decimal.ROUND_DOWN).toFixed()), currency: asset }
}

/** The leg to send when none is open. Only a ramp that is delivering pays out; a phase that is not listed sends nothing. */
export function nextLegKind(phase: Phase): 'delivery' | 'refund' | undefined {
  switch (phase) {
    case 'delivering':
      return 'delivery'
    case 'refunding':
      return 'refund'
    case 'collecting':
    case 'watching':
    case 'closed':
      return undefined
  }
}

/** The provider has had its normal time to report the outcome of the leg. */
export const isLegInDoubt = (
  leg: Pick<Leg, 'state' | 'createdAt'>,
  { pollSchedule, now }: { pollSchedule: PollSchedule; now: Date },
): boolean => isOpen(leg.state) && now.getTime() - leg.createdAt.getTime() > pollSchedule.unknownLimitMs

export interface Situation {
  kind: LegKind
  state: AttemptState
  phase: Phase
  /** There is another route, or another try, for this leg. */
  hasNextRoute: boolean
  reachedCustomer: boolean
  /** The amount that the leg should move, and the amount received before this fact. */
  expectedMinor: bigint
  currency: string
  receivedMinor: bigint
}

/** What a fact means for the whole ramp. */
export type Step =
  | { kind: 'unchanged' }
  /** Under way: waiting for the customer (`pending`) or for a provider (`processing`). */
  | { kind: 'wait'; status: 'pending' | 'processing' }
  | { kind: 'try_next' }
  | { kind: 'fail'; failure: Failure }
  /** The whole amount has been collected, so delivery begins. */
  | { kind: 'collected' }
  | { kind: 'complete' }
  /** Delivery failed for good, so the collected money is returned. */
  | { kind: 'return'; failure: Failure }
  | { kind: 'returned' }
  /** The received money moves to suspense until a person resolves the exception. */
  | { kind: 'suspend'; exception: RampException; failure: Failure }
  | { kind: 'raise'; exception: RampException }
  /** More arrived at an address that had received its amount; it moves to suspense. */
  | { kind: 'paid_again'; amountMinor: bigint }

export interface LegDecision {
  state: AttemptState
  step: Step
  /** The total so far, in the collected asset. */
  receivedMinor: bigint
}

export const expired: Failure = { code: 'EXPIRED', message: 'The ramp was not paid in time.' }
export const deliveryFailed: Failure = {
  code: 'DELIVERY_FAILED',
  message: 'The money was collected but could not be paid out. It is under manual review.',
}

/** Decides what a fact about a leg means. It is pure, so the tests cover every combination. */
export function decideLeg(situation: Situation, fact: Fact & { received?: Money | undefined }): LegDecision {
  const { state } = situation
  if (!isOpen(state)) return decideClosed(situation, fact)
  const decided = (next: AttemptState, step: Step): LegDecision => ({
    state: next,
    step,
    receivedMinor: situation.receivedMinor,
  })
  switch (fact.kind) {
    case 'accepted':
      return decideAccepted(situation, fact)
    case 'unknown':
      return state === 'accepted'
        ? decided('accepted', { kind: 'unchanged' })
        : decided('unknown', { kind: 'wait', status: 'processing' })
    case 'not_sent':
      return state === 'accepted'
        ? decided('accepted', { kind: 'unchanged' })
        : decided('not_sent', endOf(situation, providersFailed, true))
    case 'declined':
      return decided('declined', endOf(situation, fact.failure, fact.fallback))
  }
}

function decideAccepted(
  situation: Situation,
  fact: Extract<Fact, { kind: 'accepted' }> & { received?: Money | undefined },
): LegDecision {
  const isCollection = situation.kind === 'collection'
  const isComplete = fact.state.state === 'completed'
  if (isComplete && amountDiffers(situation, fact.amount))
    return {
      state: 'accepted',
      step: { kind: 'raise', exception: 'ramp_amount_differs' },
      receivedMinor: situation.receivedMinor,
    }
  // Until a leg completes, providers report the requested amount; only our own wallet reports what has arrived.
  const movedMinor = isComplete ? (fact.amount?.amountMinor ?? situation.expectedMinor) : 0n
  const reportedMinor = fact.received?.amountMinor ?? movedMinor
  const receivedMinor = isCollection
    ? larger(situation.receivedMinor, reportedMinor)
    : situation.receivedMinor
  const decided = (state: AttemptState, step: Step): LegDecision => ({ state, step, receivedMinor })
  if (isCollection && situation.phase === 'watching')
    return isComplete
      ? decided('succeeded', { kind: 'suspend', exception: 'ramp_paid_late', failure: expired })
      : receivedMinor > situation.receivedMinor
        ? decided('accepted', { kind: 'suspend', exception: 'ramp_paid_late', failure: expired })
        : decided('accepted', { kind: 'unchanged' })
  switch (fact.state.state) {
    case 'pending':
    case 'processing':
      return decided('accepted', { kind: 'wait', status: waitingStatus(situation.kind, fact.state.state) })
    case 'completed':
      return decided('succeeded', successOf(situation, receivedMinor))
    case 'canceled':
    case 'failed': {
      const failure =
        fact.state.state === 'failed'
          ? fact.state.failure
          : { code: 'CANCELED', message: 'The provider canceled the payment.' }
      if (situation.kind === 'whole' && failure.code === 'RETURNED')
        return decided('failed', { kind: 'returned' })
      if (situation.kind === 'whole' && failure.code === 'RETURN_FAILED')
        return decided('failed', { kind: 'suspend', exception: 'ramp_not_delivered', failure })
      if (isCollection && receivedMinor > 0n)
        return decided('failed', { kind: 'suspend', exception: 'ramp_underpaid', failure })
      return decided('failed', endOf(situation, failure, false))
    }
  }
}

/** Under- and overpaid collections are handled separately; any other difference needs manual review. */
const amountDiffers = ({ kind, expectedMinor, currency }: Situation, amount: Money | undefined): boolean =>
  amount !== undefined &&
  (amount.currency !== currency || (kind !== 'collection' && amount.amountMinor !== expectedMinor))

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** A ramp is pending only while the customer must act; the other legs depend on us or a provider. */
const waitingStatus = (kind: LegKind, state: 'pending' | 'processing'): 'pending' | 'processing' =>
  kind === 'collection' || kind === 'whole' ? state : 'processing'

function successOf(situation: Situation, receivedMinor: bigint): Step {
  switch (situation.kind) {
    case 'collection':
      return receivedMinor < situation.expectedMinor
        ? { kind: 'suspend', exception: 'ramp_underpaid', failure: expired }
        : { kind: 'collected' }
    case 'delivery':
    case 'whole':
      return { kind: 'complete' }
    case 'refund':
      return { kind: 'returned' }
  }
}

/** A leg ended without moving money. */
function endOf(situation: Situation, failure: Failure, mayTryNext: boolean): Step {
  switch (situation.kind) {
    case 'collection':
    case 'whole':
      if (situation.phase === 'watching') return { kind: 'unchanged' }
      return mayTryNext && situation.hasNextRoute && !situation.reachedCustomer
        ? { kind: 'try_next' }
        : { kind: 'fail', failure }
    case 'delivery':
      return mayTryNext && situation.hasNextRoute ? { kind: 'try_next' } : { kind: 'return', failure }
    case 'refund':
      return mayTryNext && situation.hasNextRoute
        ? { kind: 'try_next' }
        : { kind: 'suspend', exception: 'ramp_not_delivered', failure: deliveryFailed }
  }
}

/** A closed leg does not change; a late report that contradicts it needs manual review. */
function decideClosed(
  { kind, state, receivedMinor, currency }: Situation,
  fact: Fact & { received?: Money | undefined },
): LegDecision {
  const received =
    fact.kind === 'accepted' && fact.received?.currency === currency ? fact.received : undefined
  const moreMinor = (received?.amountMinor ?? 0n) - receivedMinor
  if (kind === 'collection' && state === 'succeeded' && moreMinor > 0n)
    return {
      state,
      step: { kind: 'paid_again', amountMinor: moreMinor },
      receivedMinor: receivedMinor + moreMinor,
    }
  const reported = fact.kind === 'accepted' ? fact.state.state : undefined
  const raise = (exception: RampException): LegDecision => ({
    state,
    step: { kind: 'raise', exception },
    receivedMinor,
  })
  if (state === 'succeeded' && reported === 'failed') return raise('ramp_reversed')
  if (state !== 'succeeded' && reported === 'completed') return raise('ramp_money_after_end')
  return { state, step: { kind: 'unchanged' }, receivedMinor }
}
