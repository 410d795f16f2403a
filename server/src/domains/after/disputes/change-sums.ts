import type { CompiledQuery } from 'kysely'
import type { DisputeMove } from '../../../connectors/kit/disputes.ts'
import type { NewException } from '../../people/exceptions/record.ts'
import { planChange } from '../../payments/lifecycle/plan-change.ts'
import type { Payment } from '../../payments/record.ts'
import type { PayinSums } from '../../payments/sums/record.ts'
import { exceeds } from '../../payments/sums/rules.ts'
import { bookMove, movedSums } from './build-postings.ts'
import { beyondPayment, refundedToo } from './errors.ts'
import type { BookedMove, Dispute, DisputeDeps } from './record.ts'
import { demandedMinor } from './rules.ts'

/** Each movement is divided by the sums that those before it have left. */
export function bookMoves(
  base: Dispute,
  reported: readonly DisputeMove[],
  payment: Payment,
): { moves: BookedMove[]; sums: PayinSums } {
  let { sums } = payment
  const moves = reported.map((move, index) => {
    const booked = bookMove(base.moves + index + 1, move, { ...payment, sums })
    sums = movedSums(sums, booked.moveNo, booked.amountMinor)
    return booked
  })
  return { moves, sums }
}

/** The sums with what the dispute demands now. */
export function demandedSums(sums: PayinSums, before: Dispute | undefined, after: Dispute): PayinSums {
  const moreMinor = demandedMinor(after) - (before ? demandedMinor(before) : 0n)
  return moreMinor === 0n ? sums : { ...sums, disputedMinor: sums.disputedMinor + moreMinor }
}

/**
 * What a provider moves is always booked. What exceeds the payment is in suspense and raised, and so is a dispute that
 * together with refunds may come to exceed it.
 */
export function findExcess(
  payment: Payment,
  dispute: Dispute,
  { moves, sums }: { moves: readonly BookedMove[]; sums: PayinSums },
): { exceptions: NewException[]; sums: PayinSums } {
  const exceptions = moves
    .filter(({ excessMinor }) => excessMinor > 0n)
    .map((move) => beyondPayment(dispute, move))
  const isNew = !exceeds(payment) && exceeds({ ...payment, sums })
  if (isNew && exceptions.length === 0) exceptions.push(refundedToo(dispute))
  const exceptionId = sums.exceptionId ?? exceptions.at(-1)?.exceptionId ?? null
  return { exceptions, sums: exceptionId === sums.exceptionId ? sums : { ...sums, exceptionId } }
}

/** Fenced by the payment's version, so that of a refund and a dispute at the same moment the second sees the first. */
export const changeSums = (deps: DisputeDeps, payment: Payment, sums: PayinSums): CompiledQuery[] =>
  planChange(deps, {
    before: payment,
    after: { ...payment, sums, updatedAt: deps.clock.now() },
    moves: [],
    isFirstAcceptance: false,
  }).statements
