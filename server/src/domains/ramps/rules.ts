import { Decimal } from 'decimal.js'
import type { Failure } from '../../connectors/kit/state.ts'
import type { RampDirection } from '../../connectors/kit/ramp-details.ts'
import { RateDecimal, toRate, type Rate } from '../../lib/decimal.ts'
import { exponentOf, type Money } from '../../lib/money.ts'
import { isOpen, providersFailed, type AttemptState, type Fact } from '../payments/rules.ts'
import type { RampException } from './errors.ts'
import type { LegKind, Phase } from './record.ts'

const driftTolerance = new RateDecimal('0.005')

/** Within 0.5 percent of the live rate, both for the direction in which the money flows. */
export const hasDrifted = (clientRate: Rate, liveRate: Rate): boolean =>
  clientRate.sub(liveRate).abs().gt(liveRate.mul(driftTolerance))

/** The client's rate, or the live one where the client's would give the customer more than the market does. */
export const appliedRate = (clientRate: Rate, liveRate: Rate): Rate => RateDecimal.min(clientRate, liveRate)

/** Fiat times the rate when crypto is bought, fiat by the rate when it is sold; rounded down to the asset's unit. */
export function cryptoAmount(direction: RampDirection, fiat: Money, rate: Rate, asset: string): Money {
  const major = toRate(fiat.amountMinor.toString()).div(new RateDecimal(10).pow(exponentOf(fiat.currency)))
  const crypto = direction === 'on_ramp' ? major.mul(rate) : major.div(rate)
  const minor = crypto.mul(new RateDecimal(10).pow(exponentOf(asset)))
  return { amountMinor: BigInt(minor.toDecimalPlaces(0, Decimal.ROUND_DOWN).toFixed()), currency: asset }
}

export interface Situation {
  kind: LegKind
  state: AttemptState
  phase: Phase
  /** Another way to carry this leg is left. */
  hasNextRoute: boolean
  reachedCustomer: boolean
  /** What the leg is to move, and what had arrived before this fact. */
  expectedMinor: bigint
  currency: string
  receivedMinor: bigint
}

/** What follows for the ramp as a whole. */
export type Step =
  | { kind: 'stay' }
  /** Under way: somebody outside must act (`pending`), or not (`processing`). */
  | { kind: 'wait'; status: 'pending' | 'processing' }
  | { kind: 'try_next' }
  | { kind: 'fail'; failure: Failure }
  /** All of the collection is there: settlement begins. */
  | { kind: 'collected' }
  | { kind: 'complete' }
  /** Settlement failed for good: what was collected goes back. */
  | { kind: 'return'; failure: Failure }
  | { kind: 'returned' }
  /** What arrived is kept apart and put in front of a person. */
  | { kind: 'suspend'; exception: RampException; failure: Failure }
  | { kind: 'tell'; exception: RampException }

export interface LegDecision {
  state: AttemptState
  step: Step
  /** Of the collected asset, in all. */
  receivedMinor: bigint
}

export const expired: Failure = { code: 'EXPIRED', message: 'The ramp was not paid in time.' }
export const settlementFailed: Failure = {
  code: 'SETTLEMENT_FAILED',
  message: 'The money was collected but could not be paid out. It is being taken care of.',
}

/** What a fact about a leg means. Pure, so that it can be tested over every combination. */
export function decideLeg(situation: Situation, fact: Fact & { received?: Money | undefined }): LegDecision {
  const { state } = situation
  if (!isOpen(state)) return decideClosed(situation, fact)
  const stay = (next: AttemptState, step: Step): LegDecision => ({
    state: next,
    step,
    receivedMinor: situation.receivedMinor,
  })
  switch (fact.kind) {
    case 'accepted':
      return decideAccepted(situation, fact)
    case 'unknown':
      return state === 'accepted'
        ? stay('accepted', { kind: 'stay' })
        : stay('unknown', { kind: 'wait', status: 'processing' })
    case 'not_sent':
      return state === 'accepted'
        ? stay('accepted', { kind: 'stay' })
        : stay('not_sent', endOf(situation, providersFailed, true))
    case 'declined':
      return stay('declined', endOf(situation, fact.failure, fact.fallback))
  }
}

function decideAccepted(
  situation: Situation,
  fact: Extract<Fact, { kind: 'accepted' }> & { received?: Money | undefined },
): LegDecision {
  const isCollection = situation.kind === 'collection'
  const isComplete = fact.state.state === 'completed'
  if (isComplete && isOtherMoney(situation, fact.amount))
    return {
      state: 'accepted',
      step: { kind: 'tell', exception: 'ramp_amount_differs' },
      receivedMinor: situation.receivedMinor,
    }
  // Before its end a provider tells what was asked for, and only our own wallet what has arrived.
  const moved = isComplete ? (fact.amount?.amountMinor ?? situation.expectedMinor) : 0n
  const told = fact.received?.amountMinor ?? moved
  const receivedMinor = isCollection ? larger(situation.receivedMinor, told) : situation.receivedMinor
  const decided = (state: AttemptState, step: Step): LegDecision => ({ state, step, receivedMinor })
  if (isCollection && situation.phase === 'watching')
    return isComplete
      ? decided('succeeded', { kind: 'suspend', exception: 'ramp_paid_late', failure: expired })
      : receivedMinor > situation.receivedMinor
        ? decided('accepted', { kind: 'suspend', exception: 'ramp_paid_late', failure: expired })
        : decided('accepted', { kind: 'stay' })
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
        return decided('failed', { kind: 'suspend', exception: 'ramp_not_settled', failure })
      if (isCollection && receivedMinor > 0n)
        return decided('failed', { kind: 'suspend', exception: 'ramp_underpaid', failure })
      return decided('failed', endOf(situation, failure, false))
    }
  }
}

/** Less and more of a collection have ways of their own; any other difference is for a person. */
const isOtherMoney = ({ kind, expectedMinor, currency }: Situation, amount: Money | undefined): boolean =>
  amount !== undefined &&
  (amount.currency !== currency || (kind !== 'collection' && amount.amountMinor !== expectedMinor))

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Only the customer's own part leaves a ramp pending; the rest is ours or the provider's to do. */
const waitingStatus = (kind: LegKind, state: 'pending' | 'processing'): 'pending' | 'processing' =>
  kind === 'collection' || kind === 'whole' ? state : 'processing'

function successOf(situation: Situation, receivedMinor: bigint): Step {
  switch (situation.kind) {
    case 'collection':
      return receivedMinor < situation.expectedMinor
        ? { kind: 'suspend', exception: 'ramp_underpaid', failure: expired }
        : { kind: 'collected' }
    case 'settlement':
    case 'whole':
      return { kind: 'complete' }
    case 'refund':
      return { kind: 'returned' }
  }
}

/** A leg ended without effect. */
function endOf(situation: Situation, failure: Failure, mayTryNext: boolean): Step {
  switch (situation.kind) {
    case 'collection':
    case 'whole':
      if (situation.phase === 'watching') return { kind: 'stay' }
      return mayTryNext && situation.hasNextRoute && !situation.reachedCustomer
        ? { kind: 'try_next' }
        : { kind: 'fail', failure: mayTryNext && !situation.reachedCustomer ? providersFailed : failure }
    case 'settlement':
      return mayTryNext && situation.hasNextRoute ? { kind: 'try_next' } : { kind: 'return', failure }
    case 'refund':
      return mayTryNext && situation.hasNextRoute
        ? { kind: 'try_next' }
        : { kind: 'suspend', exception: 'ramp_not_settled', failure: settlementFailed }
  }
}

/** A closed leg has heard its last word; another one that comes late is for a person. */
function decideClosed({ state, receivedMinor }: Situation, fact: Fact): LegDecision {
  const said = fact.kind === 'accepted' ? fact.state.state : undefined
  const tell = (exception: RampException): LegDecision => ({
    state,
    step: { kind: 'tell', exception },
    receivedMinor,
  })
  if (state === 'succeeded' && said === 'failed') return tell('ramp_reversed')
  if (state !== 'succeeded' && said === 'completed') return tell('ramp_money_after_end')
  return { state, step: { kind: 'stay' }, receivedMinor }
}
