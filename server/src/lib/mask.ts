const shownDigits = 4

/** Enough to recognise, not enough to use. */
export const mask = (text: string): string =>
  text.length <= shownDigits
    ? '*'.repeat(text.length)
    : '*'.repeat(text.length - shownDigits) + text.slice(-shownDigits)
