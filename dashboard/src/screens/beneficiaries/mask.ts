const shownDigits = 4

/** All but the last digits. What the server has masked already stays as it is. */
export const mask = (number: string): string =>
  number.includes('*') || number.length <= shownDigits
    ? number
    : `${'*'.repeat(number.length - shownDigits)}${number.slice(-shownDigits)}`
