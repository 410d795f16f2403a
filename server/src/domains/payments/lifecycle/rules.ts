import type { NextAction } from '../../../connectors/kit/connector.ts'
import { failureOf } from '../../../connectors/kit/failures.ts'
import type { Failure, ProviderState } from '../../../connectors/kit/state.ts'
import type { Money } from '../../../lib/money/money.ts'

export const statuses = [
  'initiated',
  'reviewed',
  'confirmed',
  'processing',
  'pending',
  'completed',
  'failed',
  'refunded',
  'rejected',
  'canceled',
] as const
export type Status = (typeof statuses)[number]

/**
 * All allowed status changes. `failed` to `completed` happens only on a verified late success; `processing` to
 * `refunded` only for a ramp whose collection was returned because its delivery failed.
 */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  initiated: ['reviewed', 'confirmed', 'rejected', 'canceled'],
  reviewed: ['confirmed', 'rejected', 'canceled'],
  confirmed: ['processing', 'failed', 'canceled'],
  processing: ['pending', 'completed', 'failed', 'refunded', 'rejected', 'canceled'],
  pending: ['processing', 'completed', 'failed', 'rejected', 'canceled'],
  completed: ['refunded'],
  failed: ['completed'],
  refunded: [],
  rejected: [],
  canceled: [],
}

export const canMove = (from: Status, to: Status): boolean => transitions[from].includes(to)

/** The payment has ended. Only a refund or a late report from the provider can still change it. */
export const isSettled = (status: Status): boolean =>
  ['completed', 'failed', 'refunded', 'rejected', 'canceled'].includes(status)

export type AttemptState =
  | 'sending'
  | 'accepted'
  | 'succeeded'
  | 'failed'
  | 'declined'
  | 'not_sent'
  | 'unknown'

export const isOpen = (state: AttemptState): boolean => ['sending', 'accepted', 'unknown'].includes(state)

/** What is known about an attempt, whether from the provider's answer, an inquiry, a webhook or a person. */
export type Fact =
  | {
      kind: 'accepted'
      providerRef: string | null
      providerStatus: string
      state: ProviderState
      amount?: Money | undefined
      /** What the provider charges for it. */
      cost?: Money | undefined
      nextAction?: NextAction | undefined
    }
  | {
      kind: 'declined'
      failure: Failure
      fallback: boolean
      /** The policy asks the same provider again after a while, if that is possible. */
      isRepeated?: boolean
    }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export interface Situation {
  status: Status
  attempt: AttemptState
  /** There is an untried route, and the details that sending needs are at hand. */
  hasNextRoute: boolean
  /** The same route may be tried again later: the details are stored, and it was not tried too often. */
  canRepeat?: boolean
  /** The customer has seen a prompt, a page or instructions. */
  reachedCustomer: boolean
  isPayout: boolean
  /** A virtual account pays for it, and gets back what the provider returns. */
  isFunded: boolean
  /**
   * A reported failure is final for a succeeded attempt. A message about a payin may be late and concern an earlier try
   * of the customer.
   */
  isCertain: boolean
  /** The attempt ended because the provider reversed its success. */
  isReversed: boolean
}

export interface Decision {
  /** Each step of the status, in order; empty when it does not change. */
  moves: Status[]
  attempt: AttemptState
  failure?: Failure
  /** The attempt ended without effect and the next route is to be tried. */
  tryNext: boolean
  /** An exception to raise for manual review. */
  exception?:
    | 'late_success'
    | 'reversed_after_completion'
    | 'payin_reversed'
    | 'payout_returned'
    | 'returned_to_account'
    | 'money_after_end'
    | 'amount_differs'
}

/** Decides what a fact means for a payment. It is pure, so the tests cover every combination. */
export function decide(situation: Situation, fact: Fact): Decision {
  if (fact.kind === 'accepted') return decideAccepted(situation, fact.state)
  if (!isOpen(situation.attempt) || isSettled(situation.status)) return unchanged(situation.attempt)
  switch (fact.kind) {
    case 'unknown':
      return situation.attempt === 'accepted'
        ? unchanged('accepted')
        : { ...unchanged('unknown'), moves: movesTo(situation.status, 'processing') }
    case 'declined':
      return fact.isRepeated === true && situation.canRepeat === true && isUntouched(situation)
        ? unchanged('declined')
        : endWithoutEffect(situation, 'declined', fact.failure, fact.fallback)
    case 'not_sent':
      // An inquiry may conclude "never received" after a webhook has proved that the provider has it.
      return situation.attempt === 'accepted'
        ? unchanged('accepted')
        : endWithoutEffect(situation, 'not_sent', providersFailed, true)
  }
}

export const providersFailed: Failure = {
  code: 'ALL_PROVIDERS_FAILED',
  message: 'No provider could take the payment. Nothing was charged; try again later.',
}

export const cardDetailsUnavailable: Failure = {
  code: 'CARD_DETAILS_GONE',
  message:
    'The payment never reached the provider and the card is not stored. Nothing was charged; start a new one.',
}

/** Of a payout that had to wait. */
export const rateGone: Failure = {
  code: 'RATE_EXPIRED',
  message:
    'The locked rate expired before the payout could be sent. Nothing was sent; start a new one with a new rate.',
}

export const verificationGone: Failure = {
  code: 'KYB_REQUIRED',
  message: 'The verification of the organisation ended before the payout could be sent. Nothing was sent.',
}

/** After a prompt, a page or an acceptance the customer may have paid, so nothing may be tried after that. */
const isUntouched = ({ reachedCustomer, attempt }: Situation): boolean =>
  !reachedCustomer && attempt !== 'accepted'

function endWithoutEffect(
  situation: Situation,
  attempt: 'declined' | 'not_sent',
  failure: Failure,
  mayFallBack: boolean,
): Decision {
  if (mayFallBack && isUntouched(situation) && situation.hasNextRoute)
    return { moves: [], attempt, tryNext: true }
  return {
    moves: movesTo(situation.status, 'failed'),
    attempt,
    tryNext: false,
    failure,
  }
}

function decideAccepted(situation: Situation, provider: ProviderState): Decision {
  const { status } = situation
  if (provider.state === 'completed') return decideCompleted(situation)
  if (!isOpen(situation.attempt)) {
    return situation.attempt === 'succeeded' && isReversal(provider)
      ? decideReversed(situation)
      : unchanged(situation.attempt)
  }
  if (isSettled(status)) return unchanged(situation.attempt)
  switch (provider.state) {
    case 'pending':
      return { ...unchanged('accepted'), moves: movesTo(status, 'pending') }
    case 'processing':
      return { ...unchanged('accepted'), moves: movesTo(status, 'processing') }
    case 'canceled':
      return { ...unchanged('failed'), moves: movesTo(status, 'canceled') }
    case 'failed':
      return { ...unchanged('failed'), moves: movesTo(status, 'failed'), failure: provider.failure }
  }
}

/** The states by which a provider reverses a success. */
export const isReversal = ({ state }: ProviderState): boolean => state === 'failed' || state === 'canceled'

/** Idempotent: a repeated report finds the payment refunded and changes nothing. */
function decideReversed({ status, isPayout, isFunded, isCertain }: Situation): Decision {
  if (status !== 'completed') return unchanged('succeeded')
  if (!isCertain) return { ...unchanged('succeeded'), exception: 'reversed_after_completion' }
  const payoutException = isFunded ? 'returned_to_account' : 'payout_returned'
  return {
    ...unchanged('succeeded'),
    moves: ['refunded'],
    failure: failureOf(isPayout ? 'RETURNED' : 'REVERSED'),
    exception: isPayout ? payoutException : 'payin_reversed',
  }
}

function decideCompleted(situation: Situation): Decision {
  const { status, attempt } = situation
  // A success precedes its reversal, so one that is reported after the reversal is outdated.
  if (attempt === 'succeeded' || situation.isReversed) return unchanged(attempt)
  if (status === 'failed')
    return { ...unchanged('succeeded'), moves: ['completed'], exception: 'late_success' }
  if (isSettled(status)) return { ...unchanged(attempt), exception: 'money_after_end' }
  // Another attempt may be under way, so a closed one that completes after all needs manual review.
  if (!isOpen(attempt)) return { ...unchanged(attempt), exception: 'money_after_end' }
  return { ...unchanged('succeeded'), moves: movesTo(status, 'completed') }
}

/** The payment's status does not change; the attempt is in the given state. */
export const unchanged = (attempt: AttemptState): Decision => ({ moves: [], attempt, tryNext: false })

/** The shortest path through the table, by way of `processing` where there is no direct step. */
export function movesTo(from: Status, to: Status): Status[] {
  if (from === to) return []
  if (canMove(from, to)) return [to]
  if (canMove(from, 'processing') && canMove('processing', to)) return ['processing', to]
  throw new Error(`a payment cannot move from ${from} to ${to}`)
}

interface ExchangeAmounts {
  source: Money
  target: Money
}

export const isExchanged = ({ source, target }: ExchangeAmounts): boolean =>
  source.currency !== target.currency

/**
 * The part of the target amount that belongs to a part of the source amount, at the payment's own rate. It is rounded
 * up, so that a part never costs the pool, and the whole belongs to the whole.
 */
export const targetPartOf = ({ source, target }: ExchangeAmounts, sourceMinor: bigint): bigint =>
  (sourceMinor * target.amountMinor + source.amountMinor - 1n) / source.amountMinor
