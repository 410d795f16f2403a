/** A decimal as the server wrote it. It is text, because a float would change its digits. */
export type Decimal = string

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

const isDecimal = /[.eE]/

/** Numbers with a fraction stay text with all their digits; counts become numbers. */
export function parseJson(text: string): unknown {
  const keepDigits: Reviver = (_key, value, context) => {
    if (typeof value !== 'number') return value
    const source = context?.source ?? String(value)
    return isDecimal.test(source) || !Number.isSafeInteger(value) ? source : value
  }
  return JSON.parse(text, keepDigits)
}
