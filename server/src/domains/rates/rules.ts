import { RateDecimal, toRate, type Rate } from '../../lib/decimal.ts'

const rateDigits = 18

/** Units of `to` for one unit of `from`, less the organisation's margin. */
export function pairRate(fromPerUsd: string, toPerUsd: string, marginBps: number): Rate {
  const margin = new RateDecimal(10_000 - marginBps).div(10_000)
  return toRate(toPerUsd).div(toRate(fromPerUsd)).mul(margin).toSignificantDigits(rateDigits)
}
