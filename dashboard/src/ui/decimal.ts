import type { Decimal } from '@switchyard/sdk'

/** The amounts that a person may enter: digits and one decimal point, as in the API. */
export const amountPattern = String.raw`(?:0|[1-9]\d*)(?:\.\d+)?`

/** The exact product as text. A rate may have 18 digits, more than a JavaScript number holds. */
export function multiply(left: Decimal, right: Decimal): Decimal {
  const [a, b] = [scaled(left), scaled(right)]
  const decimals = a.decimals + b.decimals
  const digits = (a.value * b.value).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** Truncates to the given number of decimals, for amounts that are shown as approximate. */
export function truncate(amount: Decimal, decimals: number): Decimal {
  const [whole = '0', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, decimals)
  return kept === '' ? whole : `${whole}.${kept}`
}

function scaled(amount: Decimal): { value: bigint; decimals: number } {
  const [whole = '0', fraction = ''] = amount.split('.')
  return { value: BigInt(`${whole}${fraction}`), decimals: fraction.length }
}
