import { convert, RateDecimal, toRate, type Rate } from '../../../lib/money/decimal.ts'
import { exponentOf, formatMinor, type Money } from '../../../lib/money/money.ts'

const rateDigits = 18

/** Units of `to` for one unit of `from`, less the organisation's margin. */
export function pairRate(fromPerUsd: string, toPerUsd: string, marginBps: number): Rate {
  const margin = new RateDecimal(10_000 - marginBps).div(10_000)
  return toRate(toPerUsd).div(toRate(fromPerUsd)).mul(margin).toSignificantDigits(rateDigits)
}

const centsPerUsd = 100n

/** A limit in dollars, in the minor unit of the currency. */
export const limitIn = (currency: string, usd: number, perUsd: string): bigint =>
  convert({ amountMinor: BigInt(usd) * centsPerUsd, currency: 'USD' }, toRate(perUsd), currency).amountMinor

/**
 * Callers send the exact product, or round it in one of the usual ways or with a float: it is right when it differs by
 * at most one minor unit of the target.
 */
export function isProduct(
  stated: Rate,
  { source, rate, targetCurrency }: { source: Money; rate: Rate; targetCurrency: string },
): boolean {
  const product = toRate(formatMinor(source.amountMinor, source.currency)).mul(rate)
  const minorUnit = new RateDecimal(10).pow(-exponentOf(targetCurrency))
  return stated.minus(product).abs().lte(minorUnit)
}
