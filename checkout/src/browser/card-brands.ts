/** The first digits identify the card's brand. It is only for display: the provider decides what it accepts. */
const brands: readonly [name: string, pattern: RegExp][] = [
  ['Visa', /^4/],
  ['Mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['Amex', /^3[47]/],
  ['Verve', /^(?:506099|5061|5078[6-9]|50790|5079[1-6]|65000[2-9]|65001|65002[0-7])/],
  ['UnionPay', /^62/],
  ['JCB', /^35(?:2[89]|[3-8])/],
  ['Diners', /^3(?:0[0-5]|[689])/],
  ['Discover', /^6(?:011|4[4-9]|5)/],
  ['Maestro', /^(?:5018|5020|5038|6304|6759|676[1-3])/],
]

export const brandOf = (digits: string): string =>
  brands.find(([, pattern]) => pattern.test(digits))?.[0] ?? ''

const cardDigits = 19

/** Groups the digits as printed on the card. */
export function groupDigits(digits: string): string {
  const groups = brandOf(digits) === 'Amex' ? [4, 6, 5] : [4, 4, 4, 4, 3]
  let rest = digits.slice(0, cardDigits)
  const parts: string[] = []
  for (const length of groups) {
    if (rest !== '') parts.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return parts.join(' ')
}
