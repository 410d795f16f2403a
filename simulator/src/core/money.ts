const DECIMAL = /^(\d+)(?:\.(\d+))?$/

const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    [
      'BIF',
      'CLP',
      'DJF',
      'GNF',
      'JPY',
      'KMF',
      'KRW',
      'PYG',
      'RWF',
      'UGX',
      'VND',
      'VUV',
      'XAF',
      'XOF',
      'XPF',
    ].map((currency) => [currency, 0]),
  ),
  ...Object.fromEntries(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency) => [currency, 3])),
}

/** The currency's decimals according to ISO 4217. Protocols handle their provider's deviations. */
export function exponentOf(currency: string): number {
  return EXPONENTS[currency.toUpperCase()] ?? 2
}

export function majorFromMinor(amountMinor: bigint | number, exponent: number): string {
  const digits = BigInt(amountMinor)
    .toString()
    .padStart(exponent + 1, '0')
  if (exponent === 0) return digits
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/** Removes trailing zeros after the decimal point: `100.5`, `100`. */
export function withoutTrailingZeros(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.')
  let end = decimals.length
  while (end > 0 && decimals[end - 1] === '0') end--
  return end === 0 ? whole : `${whole}.${decimals.slice(0, end)}`
}

/** Undefined if the text is not an amount or has more decimals than the scale. */
export function scaledAmount(amount: string, scale: number): bigint | undefined {
  const match = DECIMAL.exec(amount)
  if (match === null) return undefined
  const decimals = match[2] ?? ''
  if (decimals.length > scale) return undefined
  return BigInt(`${match[1]}${decimals.padEnd(scale, '0')}`)
}

/** The two digits after the decimal point, `00` for a whole amount. */
export function centsOf(amount: string): string {
  return (DECIMAL.exec(amount)?.[2] ?? '').padEnd(2, '0').slice(0, 2)
}
