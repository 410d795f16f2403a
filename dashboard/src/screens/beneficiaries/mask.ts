const shownDigits = 4

/** Masks all but the last digits. A value that the server has masked is left as it is. */
export const mask = (number: string): string =>
  number.includes('*') || number.length <= shownDigits
    ? number
    : `${'*'.repeat(number.length - shownDigits)}${number.slice(-shownDigits)}`
