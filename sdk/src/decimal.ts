/** An amount or a rate as text with exactly the digits that the server stores, such as `1500.00`. */
export type Decimal = string

/** A decimal argument: text such as `'1500.00'`, or a number that has not lost digits. */
export type DecimalInput = string | number | bigint

const decimalPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** A double preserves 15 significant digits; the shortest text of a longer decimal shows a rounding error. */
const exactDigits = 15

/** Returns the digits to send. Throws if the value is not a decimal, or is a number that has been rounded. */
export function decimalText(value: DecimalInput, name: string): Decimal {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return numberText(value, name)
  if (decimalPattern.test(value)) return value
  throw new TypeError(`${name} is ${JSON.stringify(value)}; pass a decimal such as '1500.00'`)
}

function numberText(value: number, name: string): Decimal {
  const text = String(value === 0 ? 0 : value)
  if (Number.isSafeInteger(value)) return text
  const digits = text.replace(/^-?0\.0*/, '').replaceAll(/[-.]/g, '')
  if (decimalPattern.test(text) && !Number.isInteger(value) && digits.length <= exactDigits) return text
  throw new TypeError(`${name} is the number ${text}, which may have lost digits; pass it as text`)
}
