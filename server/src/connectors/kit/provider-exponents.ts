import { rawNumber } from '../../lib/text/json.ts'
import { exponentOf, isFiat, isSameMoney, type Money } from '../../lib/money/money.ts'

/** The number of decimals of currencies for which a provider deviates from ISO 4217. */
export type ProviderExponents = Readonly<Record<string, number>>

interface WireMoney {
  currency: string
  value: number
}

/** Undefined if a decimal would be lost. */
function shifted(value: bigint, digits: number): bigint | undefined {
  const factor = 10n ** BigInt(Math.abs(digits))
  if (digits >= 0) return value * factor
  return value % factor === 0n ? value / factor : undefined
}

/** How many more decimals the provider uses than ISO 4217; nearly always zero. */
const shiftOf = (currency: string, own: ProviderExponents): number =>
  (own[currency] ?? exponentOf(currency)) - exponentOf(currency)

export function wireMoney({ amountMinor, currency }: Money, own: ProviderExponents): object | undefined {
  const value = shifted(amountMinor, shiftOf(currency, own))
  return value === undefined ? undefined : { currency, value: rawNumber(value.toString()) }
}

export function readWireMoney({ value, currency }: WireMoney, own: ProviderExponents): Money | undefined {
  const amountMinor = isFiat(currency) ? shifted(BigInt(value), -shiftOf(currency, own)) : undefined
  return amountMinor === undefined ? undefined : { amountMinor, currency }
}

/** An absent amount matches, because not every answer has one. */
export function isSameWireMoney(
  wanted: Money,
  reported: WireMoney | null | undefined,
  own: ProviderExponents,
): boolean {
  return isSameMoney(reported ? readWireMoney(reported, own) : wanted, wanted)
}
