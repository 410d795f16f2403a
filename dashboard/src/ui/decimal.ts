import type { Decimal } from '@switchyard/sdk'

/** What a person may type as an amount: digits and one point, as the API writes them. */
export const amountPattern = String.raw`(?:0|[1-9]\d*)(?:\.\d+)?`

/** The exact product as text. A rate may have 18 digits, which is more than a number holds. */
export function multiply(left: Decimal, right: Decimal): Decimal {
  const [a, b] = [scaled(left), scaled(right)]
  const decimals = a.decimals + b.decimals
  const digits = (a.value * b.value).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** Drops what follows the given decimals. For amounts that the screen calls approximate. */
export function truncate(amount: Decimal, decimals: number): Decimal {
  const [whole = '0', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, decimals)
  return kept === '' ? whole : `${whole}.${kept}`
}

function scaled(amount: Decimal): { value: bigint; decimals: number } {
  const [whole = '0', fraction = ''] = amount.split('.')
  return { value: BigInt(`${whole}${fraction}`), decimals: fraction.length }
}
