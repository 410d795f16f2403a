import { countrySpecs, isValidIBAN } from 'ibantools'

/** The lengths that an issuer range uses. Shorter and odd ones are left out where phone or account numbers use them. */
const issuerRanges: readonly { from: string; to: string; lengths: readonly number[] }[] = [
  { from: '4', to: '4', lengths: [16, 19] },
  { from: '1800', to: '1800', lengths: [16, 19] },
  { from: '2131', to: '2131', lengths: [16, 19] },
  { from: '2200', to: '2204', lengths: [16, 19] },
  { from: '2221', to: '2720', lengths: [16] },
  { from: '34', to: '34', lengths: [15] },
  { from: '37', to: '37', lengths: [15] },
  { from: '300', to: '305', lengths: [14] },
  { from: '3095', to: '3095', lengths: [14] },
  { from: '36', to: '36', lengths: [14, 16, 19] },
  { from: '38', to: '39', lengths: [14, 16, 19] },
  { from: '3528', to: '3589', lengths: [16, 17, 18, 19] },
  { from: '62', to: '62', lengths: [16, 17, 18, 19] },
  { from: '5', to: '6', lengths: [16, 19] },
  { from: '5018', to: '5020', lengths: [18] },
  { from: '506099', to: '506198', lengths: [18] },
  { from: '507865', to: '507964', lengths: [18] },
  { from: '6759', to: '6763', lengths: [18] },
  { from: '8100', to: '8171', lengths: [16, 17, 18, 19] },
  { from: '9792', to: '9792', lengths: [16] },
]
/** The code of the error that refuses a request with a card number in the wrong place. */
export const cardNumberNotAllowed = 'CARD_NUMBER_NOT_ALLOWED'

const shortest = 14
const longest = 19
/** More characters than this between two groups of digits, or a letter, separate two numbers. */
const separatorLimit = 3
const writtenGroup = 4
const innerGroup = 3
/** Enough on each side of a number to see the IBAN, UUID or hash that it is a part of. */
const contextCharacters = 128

/** A group of digits: where it begins in the text and in the digits of its run. */
interface Group {
  start: number
  from: number
  length: number
}

/** Groups of digits that only separators divide. */
interface Run {
  digits: string
  groups: Group[]
}

/**
 * Whether a text holds what can only be taken for a card number: an issuer's range with one of its lengths, and a
 * valid check digit. Separators, invisible characters and the digits of any script are seen through; the time is linear.
 */
export const hasCardNumber = (text: string): boolean => spansOf(text).next().done === false

/** Keeps the last four digits, as receipts do. */
export function redactCardNumbers(text: string): string {
  if (!mayContain(text)) return text
  const plain = toAsciiDigits(text)
  let redacted = ''
  let done = 0
  for (const { start, end } of spansOf(plain)) {
    if (start < done) continue
    redacted += `${plain.slice(done, start)}[card number ending in ${plain.slice(start, end).replaceAll(/\D/g, '').slice(-4)}]`
    done = end
  }
  return done === 0 ? text : redacted + plain.slice(done)
}

/** A cheap test that nearly every text fails, because the scan below allocates. */
function mayContain(text: string): boolean {
  if (text.length < shortest) return false
  let digits = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return true
    if (code >= 0x30 && code <= 0x39) digits++
    else if (isAsciiLetter(code)) digits = 0
    if (digits >= shortest) return true
  }
  return false
}

const isAsciiLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

function* spansOf(text: string): Generator<{ start: number; end: number }> {
  if (!mayContain(text)) return
  const plain = toAsciiDigits(text)
  for (const run of digitRuns(plain))
    for (let first = 0; first < run.groups.length; first++) {
      const span = cardAt(plain, run, first)
      if (span) yield span
    }
}

function* digitRuns(text: string): Generator<Run> {
  let run: Run = { digits: '', groups: [] }
  let end = 0
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    if (run.groups.length > 0 && !isSeparator(text.slice(end, index))) {
      yield run
      run = { digits: '', groups: [] }
    }
    run.groups.push({ start: index, from: run.digits.length, length: digits.length })
    run.digits += digits
    end = index + digits.length
  }
  yield run
}

const isSeparator = (between: string): boolean =>
  between.length <= separatorLimit && !/[\p{L}\p{N}]/u.test(between)

/** A card number consists of whole groups, so a longer number that merely contains one is not taken for it. */
function cardAt(
  text: string,
  { digits, groups }: Run,
  first: number,
): { start: number; end: number } | undefined {
  const { start, from } = groups[first] ?? { start: 0, from: 0 }
  for (let last = first; last < groups.length; last++) {
    const group = groups[last]
    const to = group ? group.from + group.length : from
    if (!group || to - from > longest) return undefined
    if (to - from < shortest || !hasCheckDigit(digits, from, to)) continue
    const span = { start, end: group.start + group.length }
    const isCard = isIssued(digits.slice(from, to)) && isWrittenLikeOne(groups.slice(first, last + 1))
    if (isCard && !isOtherNumber(text, span)) return span
  }
  return undefined
}

const isIssued = (number: string): boolean =>
  issuerRanges.some(
    ({ from, to, lengths }) =>
      lengths.includes(number.length) &&
      number.slice(0, from.length) >= from &&
      number.slice(0, to.length) <= to,
  )

/** The Luhn sum. It is computed in place, because hostile texts have as many candidates as characters. */
function hasCheckDigit(digits: string, from: number, to: number): boolean {
  let sum = 0
  for (let index = to - 1; index >= from; index--) {
    const digit = digits.charCodeAt(index) - 0x30
    const weighted = (to - index) % 2 === 0 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}

/** People split card numbers evenly or into groups of four to six; dates and lists of amounts look otherwise. */
function isWrittenLikeOne(groups: readonly Group[]): boolean {
  const lengths = groups.map(({ length }) => length)
  const [first = 0, ...rest] = lengths
  const middle = rest.slice(0, -1)
  if (first >= writtenGroup) return middle.every((length) => length >= innerGroup)
  return middle.every((length) => length === middle[0]) && first <= (middle[0] ?? first)
}

/** An IBAN, a UUID and a hash contain digits that can pass by chance. */
function isOtherNumber(text: string, { start, end }: { start: number; end: number }): boolean {
  const from = Math.max(0, start - contextCharacters)
  const near = text.slice(from, end + contextCharacters)
  const covers = (index: number, length: number): boolean =>
    from + index <= start && from + index + length >= end
  return otherNumbers(near, start - from).some(({ index, length }) => covers(index, length))
}

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi
const hash = /(?<![\da-z])(?:0x)?[\da-f]{24,}(?![\da-z])/gi
const hasHexLetter = (text: string): boolean => /[a-f]/i.test(text)

const otherNumbers = (near: string, at: number): { index: number; length: number }[] => [
  ...[...near.matchAll(uuid), ...near.matchAll(hash)]
    .filter(({ 0: found }) => hasHexLetter(found))
    .map(({ 0: found, index }) => ({ index, length: found.length })),
  ...ibansBefore(near, at),
]

const longestIban = 34

/** The IBANs, written with or without spaces, that begin shortly before a position. */
function ibansBefore(text: string, at: number): { index: number; length: number }[] {
  const from = Math.max(0, at - 2 * longestIban)
  return [...text.slice(from, at + 2).matchAll(/(?=[A-Z]{2}\d{2})/gi)].flatMap(({ index }) => {
    const length = ibanLengthAt(text, from + index)
    return length === undefined ? [] : [{ index: from + index, length }]
  })
}

function ibanLengthAt(text: string, index: number): number | undefined {
  const chars = countrySpecs[text.slice(index, index + 2).toUpperCase()]?.chars
  if (!chars) return undefined
  let iban = ''
  let end = index
  for (; end < text.length && iban.length < chars; end++) {
    const character = text.charAt(end)
    if (/[\dA-Z]/i.test(character)) iban += character.toUpperCase()
    else if (character !== ' ' && character !== '-') return undefined
  }
  return isValidIBAN(iban) ? end - index : undefined
}

const digitValues = new Map<string, string>()

/** Digits of other scripts become ASCII digits; what has no width or combines with the previous character is removed. */
function toAsciiDigits(text: string): string {
  // oxlint-disable-next-line no-control-regex -- tests for plain ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}\p{Me}]/gu, '')
    .replaceAll(/\p{Nd}/gu, (digit) => digitValues.get(digit) ?? cacheDigit(digit))
}

/** Unicode encodes the ten digits of a script in a row. */
function cacheDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before++
  const value = String(before % 10)
  digitValues.set(digit, value)
  return value
}
