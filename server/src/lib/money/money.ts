import { canonicalDecimal, rawNumber, type RawNumber } from '../text/json.ts'

/** Money inside the service: whole minor units of a currency. Never a float. */
export interface Money {
  readonly amountMinor: bigint
  readonly currency: string
}

/** An absent amount is none, and so not the same. */
export const isSameMoney = (one: Money | undefined, other: Money): boolean =>
  one?.currency === other.currency && one.amountMinor === other.amountMinor

const fiatExponents: Readonly<Record<string, number>> = currencyExponents()
const cryptoExponents: Readonly<Record<string, number>> = {
  BTC: 8,
  ETH: 18,
  EURC: 6,
  USDC: 6,
  USDT: 6,
}

/** ISO 4217 as the runtime knows it, with the minor units of the standard. */
function currencyExponents(): Record<string, number> {
  const exponents: Record<string, number> = {}
  for (const currency of Intl.supportedValuesOf('currency')) exponents[currency] = 2
  const others: Record<number, string> = {
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }
  for (const [exponent, list] of Object.entries(others))
    for (const currency of list.split(' ')) exponents[currency] = Number(exponent)
  return exponents
}

export const isFiat = (currency: string): boolean => Object.hasOwn(fiatExponents, currency)
export const isCrypto = (currency: string): boolean => Object.hasOwn(cryptoExponents, currency)

export function exponentOf(currency: string): number {
  const exponents = isCrypto(currency) ? cryptoExponents : fiatExponents
  const exponent = Object.hasOwn(exponents, currency) ? exponents[currency] : undefined
  if (exponent === undefined) throw new RangeError(`unknown currency ${currency}`)
  return exponent
}

/** Reads decimal digits as minor units; undefined when the currency has fewer decimals than the text. */
export const parseMinor = (digits: string, currency: string): bigint | undefined =>
  parseScaled(digits, exponentOf(currency))

/** Reads decimal digits as whole units of 10^-decimals; undefined when the text has more decimals. */
export function parseScaled(digits: string, decimals: number): bigint | undefined {
  const canonical = canonicalDecimal(digits)
  if (canonical === '0') return 0n
  const match = /^(-?\d+)e(-?\d+)$/.exec(canonical)
  if (!match) return undefined
  const scale = Number(match[2]) + decimals
  if (scale < 0 || scale > 60) return undefined
  return BigInt(match[1] ?? '0') * 10n ** BigInt(scale)
}

/** Undefined for an unknown currency, or for more decimals than the currency has. */
export function readMoney(digits: string, currency: string): Money | undefined {
  const amountMinor = isFiat(currency) ? parseMinor(digits, currency) : undefined
  return amountMinor === undefined ? undefined : { amountMinor, currency }
}

/** Decimal text with the currency's decimals, and at least one: 150000n NGN is 1500.00, 5n UGX is 5.0. */
export const formatMinor = (amountMinor: bigint, currency: string): string =>
  formatScaled(amountMinor, exponentOf(currency))

export function formatScaled(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return `${sign}${whole}.${fraction === '' ? '0' : fraction}`
}

export const wireAmount = (amountMinor: bigint, currency: string): RawNumber =>
  rawNumber(formatMinor(amountMinor, currency))
