import type {
  DisputeFunds,
  DisputeMove,
  DisputeState,
  ProviderDispute,
} from '../../../connectors/kit/disputes.ts'
import { storedTime, type StoredTime } from '../../../kernel/db/money-clock.ts'
import { readMoney, type Money } from '../../../lib/money/money.ts'
import type { Dispute } from './record.ts'

/** A message of the same round never moves a dispute backwards, whatever the order of arrival. */
const ranks: Readonly<Record<DisputeState, number>> = {
  warning: 0,
  needs_response: 1,
  under_review: 2,
  won: 3,
  lost: 3,
  accepted: 3,
}

export const isOpenState = (state: DisputeState): boolean => ranks[state] < ranks.won

/**
 * What a dispute may still withdraw. A bank that only asks for information demands nothing; a dispute that was lost
 * takes the whole amount, unless the provider has withdrawn what it takes.
 */
export function demandedMinor({
  state,
  amountMinor,
  withdrawnMinor,
}: Pick<Dispute, 'state' | 'amountMinor' | 'withdrawnMinor'>): bigint {
  if (state === 'warning' || state === 'won' || withdrawnMinor >= amountMinor) return 0n
  if (isOpenState(state)) return amountMinor - withdrawnMinor
  return withdrawnMinor > 0n ? 0n : amountMinor
}

/** A response is possible. */
export const awaitsResponse = (state: DisputeState): boolean =>
  state === 'warning' || state === 'needs_response'

type KnownDispute = Pick<Dispute, 'state' | 'round' | 'reportedAt' | 'moves'>

/** `older`: what is known is newer. `contradicts`: two final results, and nothing shows which one is right. */
type StateChange =
  | { kind: 'changes'; state: DisputeState; round: 1 | 2 }
  | { kind: 'same' | 'older' | 'contradicts' }

export function nextState(
  known: KnownDispute,
  report: Pick<ProviderDispute, 'state' | 'round' | 'reportedAt'>,
): StateChange {
  const { state, round } = report
  if (state === undefined) return { kind: 'same' }
  if (round > known.round) return { kind: 'changes', state, round }
  if (round < known.round) return { kind: 'older' }
  if (state === known.state || isSameLoss(state, known.state)) return { kind: 'same' }
  const step = ranks[state] - ranks[known.state]
  const isLater =
    known.reportedAt !== null && report.reportedAt !== undefined && report.reportedAt > known.reportedAt
  if (step > 0) return { kind: 'changes', state, round }
  if (step === 0) return isLater ? { kind: 'changes', state, round } : { kind: 'contradicts' }
  // A bank may ask again after it has reviewed the evidence; an ended round does not begin again.
  return isLater && isOpenState(known.state) ? { kind: 'changes', state, round } : { kind: 'older' }
}

/** A provider calls a dispute lost that was accepted here, and the other way round. */
const isSameLoss = (one: DisputeState, other: DisputeState): boolean =>
  [one, other].every((state) => state === 'lost' || state === 'accepted')

/** The movements that the report proves and that are not booked yet, each in the payment's currency. */
export function newMoves(
  booked: number,
  funds: DisputeFunds | undefined,
  currency: string,
): readonly DisputeMove[] {
  if (funds === undefined) return []
  if ('moves' in funds) return funds.moves.slice(booked)
  const isOut = booked % 2 === 1
  const amount = amountIn(funds.amount, currency)
  return isOut === funds.isWithdrawn || amount === undefined ? [] : [{ amount }]
}

export const amountIn = (amount: Money | { decimal: string }, currency: string): Money | undefined =>
  'decimal' in amount ? readMoney(amount.decimal, currency) : amount

export const isWithdrawal = (moveNo: number): boolean => moveNo % 2 === 1
/** The number in the kind of a move's transfers: 1 for the first withdrawal and its return, 2 for the second. */
export const roundOfMove = (moveNo: number): number => Math.ceil(moveNo / 2)

/** How long before the deadline members are reminded. */
const reminderMs = 48 * 60 * 60_000
export const reminderAt = (dueBy: Date): StoredTime => storedTime(new Date(dueBy.getTime() - reminderMs))
