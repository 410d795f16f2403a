import type { Failure } from '../../../connectors/kit/state.ts'
import type { Transfer } from '../../../kernel/ledger/transfers.ts'
import { formatMinor } from '../../../lib/money/money.ts'
import type { StatusPatch } from '../../payments/lifecycle/change-status.ts'
import { isOpen, isSettled, type Status } from '../../payments/lifecycle/rules.ts'
import { exceptionTexts, type RampException } from './errors.ts'
import { collectedAsset, firstLeg, type Leg, type LoadedRamp, type Phase, type Ramp } from './record.ts'
import { arrived, delivered, returned, suspended } from './build-postings.ts'
import { deliveryFailed, type LegDecision, type Step } from './rules.ts'
import type { NewException } from '../../people/exceptions/record.ts'

/** Everything that a decision changes apart from the leg. */
export interface Effect {
  ramp: Ramp
  status: Status
  isOpen: boolean
  patch: NonNullable<StatusPatch['patch']>
  postings: Transfer[]
  exceptions: NewException[]
}

interface Outcome {
  phase: Phase
  status: Status
  patch?: NonNullable<StatusPatch['patch']>
  /** The part of the received amount that is in suspense, in total. */
  suspendedMinor?: bigint
  postings?: Transfer[]
  exception?: RampException
}

export function effectOf(loaded: LoadedRamp, leg: Leg, decision: LegDecision): Effect {
  const { payment, ramp: before } = loaded
  const { paymentId } = payment
  // A provider that carries both legs has collected the whole amount once it has paid it out.
  const wasWhole = leg.kind === 'whole' && decision.step.kind === 'complete'
  const receivedMinor = wasWhole ? collectedAsset(before).amountMinor : decision.receivedMinor
  const outcome = outcomeOf({ ...loaded, ramp: { ...before, receivedMinor } }, leg, decision.step)
  const ramp: Ramp = {
    ...before,
    receivedMinor,
    phase: outcome.phase,
    suspendedMinor: outcome.suspendedMinor ?? before.suspendedMinor,
  }
  const postings = [
    ...arrived(paymentId, leg, before, ramp),
    ...suspended(paymentId, before, ramp),
    ...(outcome.postings ?? []),
  ]
  return {
    ramp,
    status: outcome.status,
    isOpen: !isSettled(outcome.status),
    patch: { ...outcome.patch, ...(isSettled(outcome.status) && { nextAction: null }) },
    postings,
    exceptions: outcome.exception ? [exceptionFor(loaded, leg, ramp, outcome.exception)] : [],
  }
}

function outcomeOf(loaded: LoadedRamp, leg: Leg, step: Step): Outcome {
  const { payment, ramp } = loaded
  const same: Outcome = { phase: ramp.phase, status: payment.status }
  switch (step.kind) {
    case 'unchanged':
    case 'try_next':
      return same
    case 'raise':
      return { ...same, exception: step.exception }
    case 'wait':
      return isSettled(payment.status) ? same : { ...same, status: step.status }
    case 'fail':
      return {
        phase: mayStillBePaid(leg) ? 'watching' : 'closed',
        status: 'failed',
        patch: failurePatch(step.failure),
      }
    case 'collected':
      return collected(ramp)
    case 'complete':
      return { phase: 'closed', status: 'completed', postings: delivered(payment.paymentId, leg, ramp) }
    case 'return':
      return ramp.direction === 'on_ramp'
        ? { phase: 'refunding', status: 'processing', patch: failurePatch(step.failure) }
        : suspend(loaded, leg, { exception: 'ramp_not_delivered', failure: deliveryFailed })
    case 'returned':
      return {
        phase: 'closed',
        status: 'refunded',
        patch: { refundedMinor: payment.source.amountMinor },
        postings: leg.kind === 'whole' ? [] : [returned(payment.paymentId, leg, collectedAsset(ramp))],
      }
    case 'paid_again':
      return {
        ...same,
        suspendedMinor: ramp.suspendedMinor + step.amountMinor,
        exception: 'ramp_paid_again',
      }
    case 'suspend':
      return suspend(loaded, leg, step)
  }
}

/** The customer has the payment instructions and may still use them. */
const mayStillBePaid = (leg: Leg): boolean => leg.kind === 'collection' && isOpen(leg.state)

/** The ramp continues with its own amount; a surplus belongs to the customer and moves to suspense. */
function collected(ramp: Ramp): Outcome {
  const surplusMinor = ramp.receivedMinor - collectedAsset(ramp).amountMinor
  return {
    phase: 'delivering',
    status: 'processing',
    patch: { nextAction: null },
    ...(surplusMinor > 0n && { suspendedMinor: surplusMinor, exception: 'ramp_overpaid' as const }),
  }
}

function suspend(
  { payment, ramp }: LoadedRamp,
  leg: Leg,
  why: { exception: RampException; failure: Failure },
): Outcome {
  return {
    phase: mayStillBePaid(leg) ? 'watching' : 'closed',
    status: isSettled(payment.status) ? payment.status : 'failed',
    patch: isSettled(payment.status) ? {} : failurePatch(why.failure),
    suspendedMinor: ramp.receivedMinor,
    exception: why.exception,
  }
}

const failurePatch = ({ code, message }: Failure) => ({ failureCode: code, failureMessage: message })

function exceptionFor(before: LoadedRamp, leg: Leg, ramp: Ramp, kind: RampException): NewException {
  const { paymentId } = before.payment
  const { summary } = exceptionTexts[kind]
  const newlySuspendedMinor = ramp.suspendedMinor - before.ramp.suspendedMinor
  const { currency } = collectedAsset(ramp)
  const { provider, accountId, custody } = firstLeg(before) ?? leg
  const held =
    newlySuspendedMinor > 0n
      ? { amountMinor: newlySuspendedMinor, currency, provider, accountId, custody }
      : undefined
  const amount = held ?? leg.amount
  return {
    kind,
    paymentId,
    provider: leg.provider,
    findingKey: `${kind} ${paymentId} ${leg.legNo} ${ramp.suspendedMinor}`,
    summary: `${summary} Amount: ${formatMinor(amount.amountMinor, amount.currency)} ${amount.currency}.`,
    held,
  }
}
