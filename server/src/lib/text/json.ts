import { validationError } from '../errors.ts'
import { trimEnd, trimStart } from './trim.ts'

/** A JSON number that a double cannot hold exactly. Only fields that ask for decimals accept one. */
export class InexactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** A number that is serialised with its exact digits (`JSON.rawJSON`), so that 1500.00 does not become 1500. */
export interface RawNumber {
  readonly rawJSON: string
}

interface RawJson {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

// TypeScript's library does not describe JSON.rawJSON yet; Node 24 has it.
const json = JSON as JSON & RawJson

export const rawNumber = (digits: string): RawNumber => json.rawJSON(digits)
export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value)

const exactDigits = 15
/** No amount or rate needs more; longer literals only cost processor time. */
const numberCharsLimit = 64
const openBrackets = new Set([0x7b, 0x5b])
const closeBrackets = new Set([0x7d, 0x5d])

/** Parses a request body: bounded depth, no prototype keys, and no number that silently lost digits. */
export function parseJson(text: string, depthLimit: number): unknown {
  if (depthOf(text) > depthLimit)
    throw validationError(`The body is nested deeper than ${depthLimit} levels.`)
  try {
    return isSuspect(text) ? JSON.parse(text, reviveExactly) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) throw validationError('The body is not valid JSON.')
    throw cause
  }
}

/** An escape that may hide a character, the key itself, or a number with many digits or an exponent. */
const suspectPattern = /\\u|__proto__|(?:^|[:[,\s])-?(?:[\d.]{15}|\d[\d.]*[eE])/

/** True for every text in which reviveExactly may change or refuse something: it is called for each value, which is slow. */
const isSuspect = (text: string): boolean => suspectPattern.test(text) || !text.isWellFormed()

function reviveExactly(key: string, value: unknown, context?: { source?: string }): unknown {
  if (key === '__proto__') throw validationError('The body has a key that is not allowed: __proto__.')
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
    throw validationError('The body has text with a NUL character or half of a surrogate pair.')
  if (typeof value !== 'number' || context?.source === undefined) return value
  if (context.source.length > numberCharsLimit)
    throw validationError(`The body has a number of more than ${numberCharsLimit} characters.`)
  if (context.source.length <= exactDigits && !/e/i.test(context.source)) return value
  return isExact(context.source, value) ? value : new InexactNumber(context.source)
}

/** Postgres accepts neither in text or jsonb. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function isExact(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  return (
    canonicalDecimal(source) === canonicalDecimal(String(value)) && significantDigits(source) <= exactDigits
  )
}

/** Digits and exponent without redundant zeros, so that equal numbers have the same canonical text. */
export function canonicalDecimal(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match) return text
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = trimStart(whole + fraction, '0')
  const trimmed = trimEnd(digits, '0')
  if (trimmed === '') return '0'
  const scale = Number(exponent) - fraction.length + (digits.length - trimmed.length)
  return `${sign}${trimmed}e${scale}`
}

export const significantDigits = (text: string): number =>
  canonicalDecimal(text).replace(/^-/, '').split('e')[0]?.length ?? 0

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (openBrackets.has(code)) deepest = Math.max(deepest, ++depth)
    else if (closeBrackets.has(code)) depth--
  }
  return deepest
}

/** Whether a part of a parsed body can be stored and returned digit for digit. */
export const isExactJson = (value: unknown): boolean =>
  !(value instanceof InexactNumber) &&
  (typeof value !== 'object' || value === null || Object.values(value).every(isExactJson))
