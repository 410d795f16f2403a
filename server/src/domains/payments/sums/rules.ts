import type { Money } from '../../../lib/money/money.ts'
import { isExchanged, targetPartOf } from '../lifecycle/rules.ts'
import type { PayinSums } from './record.ts'

interface Payin {
  source: Money
  target: Money
  sums: PayinSums
}

/** What providers have given back so far. */
export const takenMinor = ({
  refundedMinor,
  reversedMinor,
  withdrawnMinor,
  returnedMinor,
}: PayinSums): bigint => refundedMinor + reversedMinor + withdrawnMinor - returnedMinor

/** What a refund of ours may be at most: refunds under way and open disputes may still take the rest. */
export function leftMinor({ source, sums }: Pick<Payin, 'source' | 'sums'>): bigint {
  const left = source.amountMinor - takenMinor(sums) - sums.refundingMinor - sums.disputedMinor
  return left > 0n ? left : 0n
}

/** Providers have given back more than came, or are about to. */
export const exceeds = ({ source, sums }: Pick<Payin, 'source' | 'sums'>): boolean =>
  takenMinor(sums) + sums.refundingMinor + sums.disputedMinor > source.amountMinor

/** The provider took back what refunds and disputes have left, which may exceed what is under way. */
export function reversedSums(payin: Pick<Payin, 'source' | 'sums'>, raised: string | null): PayinSums {
  const { source, sums } = payin
  const restMinor = source.amountMinor - takenMinor(sums)
  if (restMinor <= 0n) return sums
  const reversed = { ...sums, reversedMinor: sums.reversedMinor + restMinor }
  return exceeds({ source, sums: reversed })
    ? { ...reversed, exceptionId: sums.exceptionId ?? raised }
    : reversed
}

/** How a change of what was given back divides. All of them are positive, in whichever direction the money moves. */
interface Division {
  /** What the organisation's balance pays or gets, in the source currency of the payin. */
  bookedMinor: bigint
  /** The same in the currency of the balance. */
  balanceMinor: bigint
  /** What exceeds the payment, which goes to suspense or comes from there. */
  excessMinor: bigint
}

/**
 * Divides what moves between two sums. The balance pays for the part of the sum that the payment covers, and of an
 * exchanged payment for the same part of its target amount. Both depend on the sum alone, so the order of refunds,
 * disputes and reversals makes no difference, and the parts add up to the whole.
 */
export function divide(payin: Payin, after: PayinSums): Division {
  const [fromMinor, toMinor] = [takenMinor(payin.sums), takenMinor(after)]
  const [bookedFrom, bookedTo] = [coveredMinor(payin, fromMinor), coveredMinor(payin, toMinor)]
  const bookedMinor = distance(bookedFrom, bookedTo)
  return {
    bookedMinor,
    balanceMinor: isExchanged(payin)
      ? distance(targetPartOf(payin, bookedFrom), targetPartOf(payin, bookedTo))
      : bookedMinor,
    excessMinor: distance(fromMinor, toMinor) - bookedMinor,
  }
}

function coveredMinor({ source }: Payin, minor: bigint): bigint {
  if (minor < 0n) return 0n
  return minor < source.amountMinor ? minor : source.amountMinor
}

const distance = (one: bigint, other: bigint): bigint => (one < other ? other - one : one - other)
