import { isRawNumber } from './json.ts'

const shownDigits = 4

/** Enough to recognise, not enough to use. */
export const mask = (text: string): string =>
  text.length <= shownDigits
    ? '*'.repeat(text.length)
    : '*'.repeat(text.length - shownDigits) + text.slice(-shownDigits)

/** The first letter and the domain are shown. */
export function maskEmail(text: string): string {
  const at = text.lastIndexOf('@')
  return at < 1 ? mask(text) : `${text.slice(0, 1)}***${text.slice(at)}`
}

const numberKeys = /(?:^|_)(?:account_number|iban|phone|phone_number)$|accountNumber$|phoneNumber$/
const emailKeys = /(?:^|_)email(?:_address)?$|Email$/
/** Fields whose text lists others by name, such as `account_number: 0690000049, bank_name: …`. */
const listingKeys = new Set(['instructions'])
const listedNumber = /\b(account_number|iban|phone_number|phone|email): ([^,\s]+)/g

/** A copy of an answer in which account numbers, IBANs, phone numbers and e-mail addresses are masked, at any depth. */
export function maskPersonalData(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return maskText(key, value)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map((entry) => maskPersonalData(entry, key))
  // Dates, buffers and streams have no fields of ours.
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskPersonalData(inner, name)]),
  )
}

function maskText(key: string, text: string): string {
  if (numberKeys.test(key)) return mask(text)
  if (emailKeys.test(key)) return maskEmail(text)
  if (!listingKeys.has(key)) return text
  return text.replaceAll(
    listedNumber,
    (_match, name: string, listed: string) =>
      `${name}: ${name === 'email' ? maskEmail(listed) : mask(listed)}`,
  )
}

/** Whether masking would change the answer. It stops at the first such field. */
export function hasPersonalData(value: unknown, key = ''): boolean {
  if (typeof value === 'string') return value !== '' && maskText(key, value) !== value
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return false
  if (Array.isArray(value)) return value.some((entry) => hasPersonalData(entry, key))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.entries(value).some(([name, inner]) => hasPersonalData(inner, name))
}
