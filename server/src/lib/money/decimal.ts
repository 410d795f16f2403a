import { Decimal } from 'decimal.js'
import { rawNumber, type RawNumber } from '../text/json.ts'
import { exponentOf, type Money } from './money.ts'

/** Rates are decimals, never floats: 40 digits are more than any product of an amount and a rate needs. */
export const RateDecimal = Decimal.clone({
  precision: 40,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 40,
})
export type Rate = Decimal

export const toRate = (digits: string): Rate => new RateDecimal(digits)

const wireDigits = 18

export function wireRate(rate: Rate): RawNumber {
  const text = rate.toSignificantDigits(wireDigits).toFixed()
  return rawNumber(text.includes('.') ? text : `${text}.0`)
}

/** Half-even to the target's minor unit, as bankers and the locked-rate rule do. */
export function convert(money: Money, rate: Rate, targetCurrency: string): Money {
  const major = new RateDecimal(money.amountMinor.toString()).div(
    new RateDecimal(10).pow(exponentOf(money.currency)),
  )
  const minor = major.mul(rate).mul(new RateDecimal(10).pow(exponentOf(targetCurrency)))
  return {
    amountMinor: BigInt(minor.toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toFixed()),
    currency: targetCurrency,
  }
}

/** The smallest amount that converts to at least the target, which may exceed it when no amount converts exactly. */
export function leastSource(target: Money, rate: Rate, sourceCurrency: string): Money {
  const scale = new RateDecimal(10).pow(exponentOf(sourceCurrency) - exponentOf(target.currency))
  const minor = new RateDecimal(target.amountMinor.toString()).div(rate).mul(scale)
  let amountMinor = BigInt(minor.toDecimalPlaces(0, Decimal.ROUND_DOWN).toFixed())
  const isEnough = (): boolean =>
    convert({ amountMinor, currency: sourceCurrency }, rate, target.currency).amountMinor >=
    target.amountMinor
  while (amountMinor === 0n || !isEnough()) amountMinor += 1n
  return { amountMinor, currency: sourceCurrency }
}
