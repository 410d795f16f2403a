import type { NextAction } from '../../connectors/kit/connector.ts'
import type { Failure, ProviderState } from '../../connectors/kit/state.ts'
import type { Money } from '../../lib/money.ts'

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
 * The only moves that exist. `failed` to `completed` is for a verified late success alone, `processing` to
 * `refunded` for a ramp whose collection went back because its settlement failed.
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

/** Nothing more is expected to happen by itself. */
export const isSettled = (status: Status): boolean =>
  ['completed', 'failed', 'refunded', 'rejected', 'canceled'].includes(status)

export type AttemptState =
  'sending' | 'accepted' | 'succeeded' | 'failed' | 'declined' | 'not_sent' | 'unknown'

export const isOpen = (state: AttemptState): boolean => ['sending', 'accepted', 'unknown'].includes(state)

/** What we learnt about an attempt, from whichever side: the call's answer, an inquiry, a webhook. */
export type Fact =
  | {
      kind: 'accepted'
      providerRef: string | null
      providerStatus: string
      state: ProviderState
      amount?: Money | undefined
      nextAction?: NextAction | undefined
    }
  | { kind: 'declined'; failure: Failure; fallback: boolean }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export interface Situation {
  status: Status
  attempt: AttemptState
  /** A route is left that has not been tried, and what it needs is at hand. */
  hasNextRoute: boolean
  /** The customer has seen a prompt, a page or instructions. */
  reachedCustomer: boolean
  /** A virtual account pays: what the provider gives back belongs to it again. */
  isFunded: boolean
  /** The attempt ended because the provider took back what had succeeded. */
  isReversed: boolean
}

export interface Decision {
  /** Each step of the status, in order; empty when it stays. */
  moves: Status[]
  attempt: AttemptState
  failure?: Failure
  /** The attempt ended without effect and the next route is to be tried. */
  tryNext: boolean
  /** What happened does not fit: kept for a person, applied to nothing. */
  exception?:
    | 'late_success'
    | 'reversed_after_completion'
    | 'returned_to_account'
    | 'money_after_end'
    | 'amount_differs'
}

/** The heart of it: what a fact means for a payment. Pure, so that it can be tested over every combination. */
export function decide(situation: Situation, fact: Fact): Decision {
  if (fact.kind === 'accepted') return decideAccepted(situation, fact.state)
  if (!isOpen(situation.attempt) || isSettled(situation.status)) return stay(situation.attempt)
  switch (fact.kind) {
    case 'unknown':
      return situation.attempt === 'accepted'
        ? stay('accepted')
        : { ...stay('unknown'), moves: movesTo(situation.status, 'processing') }
    case 'declined':
      return endWithoutEffect(situation, 'declined', fact.failure, fact.fallback)
    case 'not_sent':
      // "Never found" may be written after a webhook has shown that the provider has it.
      return situation.attempt === 'accepted'
        ? stay('accepted')
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

function endWithoutEffect(
  situation: Situation,
  attempt: 'declined' | 'not_sent',
  failure: Failure,
  mayFallBack: boolean,
): Decision {
  // After a prompt, a page or an acceptance the customer may have acted: no second provider.
  const mayTryNext = mayFallBack && !situation.reachedCustomer && situation.attempt !== 'accepted'
  if (mayTryNext && situation.hasNextRoute) return { moves: [], attempt, tryNext: true }
  return {
    moves: movesTo(situation.status, 'failed'),
    attempt,
    tryNext: false,
    failure: mayTryNext ? providersFailed : failure,
  }
}

function decideAccepted(situation: Situation, provider: ProviderState): Decision {
  const { status } = situation
  if (provider.state === 'completed') return decideCompleted(situation)
  if (!isOpen(situation.attempt)) {
    if (situation.attempt === 'succeeded' && provider.state === 'failed') return decideReversed(situation)
    return stay(situation.attempt)
  }
  if (isSettled(status)) return stay(situation.attempt)
  switch (provider.state) {
    case 'pending':
      return { ...stay('accepted'), moves: movesTo(status, 'pending') }
    case 'processing':
      return { ...stay('accepted'), moves: movesTo(status, 'processing') }
    case 'canceled':
      return { ...stay('failed'), moves: movesTo(status, 'canceled') }
    case 'failed':
      return { ...stay('failed'), moves: movesTo(status, 'failed'), failure: provider.failure }
  }
}

/** Told twice, the second time finds it refunded and changes nothing. */
function decideReversed({ status, isFunded }: Situation): Decision {
  if (!isFunded) return { ...stay('succeeded'), exception: 'reversed_after_completion' }
  if (status !== 'completed') return stay('succeeded')
  return { ...stay('succeeded'), moves: ['refunded'], exception: 'returned_to_account' }
}

function decideCompleted(situation: Situation): Decision {
  const { status, attempt } = situation
  // A success comes before its reversal, so one that is heard of afterwards is old news.
  if (attempt === 'succeeded' || situation.isReversed) return stay(attempt)
  if (status === 'failed') return { ...stay('succeeded'), moves: ['completed'], exception: 'late_success' }
  if (isSettled(status)) return { ...stay(attempt), exception: 'money_after_end' }
  // A closed attempt that completes after all, while another one may be under way, is for a person.
  if (!isOpen(attempt)) return { ...stay(attempt), exception: 'money_after_end' }
  return { ...stay('succeeded'), moves: movesTo(status, 'completed') }
}

const stay = (attempt: AttemptState): Decision => ({ moves: [], attempt, tryNext: false })

/** The shortest way along the table, through `processing` where there is no direct step. */
export function movesTo(from: Status, to: Status): Status[] {
  if (from === to) return []
  if (canMove(from, to)) return [to]
  if (canMove(from, 'processing') && canMove('processing', to)) return ['processing', to]
  throw new Error(`a payment cannot move from ${from} to ${to}`)
}
