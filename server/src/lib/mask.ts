const shownDigits = 4

/** Enough to recognise, not enough to use. */
export const mask = (text: string): string =>
  text.length <= shownDigits
    ? '*'.repeat(text.length)
    : '*'.repeat(text.length - shownDigits) + text.slice(-shownDigits)

/** The first letter and the domain: enough to tell two customers apart. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return at < 1 ? mask(email) : `${email.slice(0, 1)}***${email.slice(at)}`
}
