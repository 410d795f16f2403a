import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../exit-codes.ts'
import type { Io } from '../io.ts'

/** The kinds of the body's fields, by path, such as `rows.*.amount`. */
type Fields = Readonly<Record<string, string>>

class NumberSource {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const decimalPattern = /^-?\d+(?:\.\d+)?$/
/** These names would pollute the prototype of every object. */
const forbiddenNames: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * The body of a request: `@file`, `-` for standard input, a JSON object, or fields such as `amount=5000`. Fields
 * override those of the file. Decimals stay text with all their digits.
 */
export async function readBody(io: Io, data: readonly string[], fields: Fields): Promise<unknown> {
  let body: unknown
  for (const part of data) {
    const whole = await wholeText(io, part)
    if (whole === undefined) body = withField(body, part, fields)
    else if (body === undefined) body = parseBody(whole, fields)
    else throw new UsageError('Pass one body, followed by fields that override it.')
  }
  return body
}

async function wholeText(io: Io, part: string): Promise<string | undefined> {
  if (part === '-') return io.readStdin()
  if (/^\s*[[{]/.test(part)) return part
  if (!part.startsWith('@')) return undefined
  try {
    return readFileSync(resolve(io.cwd, part.slice(1)), 'utf8')
  } catch (error) {
    throw new UsageError(
      `The file ${part.slice(1)} cannot be read: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

/** Parses JSON and keeps decimals as text, so that no digit is lost. */
const parseBody = (text: string, fields: Fields): unknown => jsonAt(text, [], fields)

function jsonAt(text: string, at: readonly string[], fields: Fields): unknown {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? new NumberSource(context?.source ?? String(value)) : value
  try {
    return withNumbers(JSON.parse(text, revive), at, fields)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The body is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function withNumbers(value: unknown, at: readonly string[], fields: Fields): unknown {
  if (value instanceof NumberSource) return numberOf(value.text, at, fields)
  if (Array.isArray(value)) return value.map((one, index) => withNumbers(one, [...at, String(index)], fields))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withNumbers(one, [...at, name], fields)]),
  )
}

function numberOf(text: string, at: readonly string[], fields: Fields): unknown {
  if (kindAt(at, fields) === 'decimal') return text
  const number = Number(text)
  const isExact = Number.isSafeInteger(number) || decimalDigits(String(number)) === decimalDigits(text)
  if (!isExact)
    throw new UsageError(`${at.join('.')} cannot be sent as a number without losing digits of ${text}.`)
  return number
}

/** Removes trailing zeros, which a number does not preserve. */
function decimalDigits(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** An index of a list or a key of a map matches `*`. */
function kindAt(at: readonly string[], fields: Fields): string | undefined {
  const found = Object.keys(fields).find((place) => {
    const names = place.split('.')
    return names.length === at.length && names.every((name, index) => name === '*' || name === at[index])
  })
  return found === undefined ? undefined : fields[found]
}

/** `amount=5000`, `payer_details.name=Ada`, or `metadata:={"a":1}` for JSON. */
function withField(body: unknown, part: string, fields: Fields): unknown {
  const [name, value, isJson] = splitField(part)
  const at = name.split('.')
  if (at.some((one) => one === '' || forbiddenNames.includes(one)))
    throw new UsageError(`${name} is not a valid field name.`)
  const parsed = isJson ? jsonAt(value, at, fields) : valueOf(value, at, fields)
  return setAt(body ?? {}, at, parsed)
}

function splitField(part: string): [name: string, value: string, isJson: boolean] {
  const equals = part.indexOf('=')
  if (equals < 1)
    throw new UsageError(`${part} is not a field. Pass name=value, @file, or - for standard input.`)
  const isJson = part[equals - 1] === ':'
  return [part.slice(0, isJson ? equals - 1 : equals), part.slice(equals + 1), isJson]
}

function valueOf(text: string, at: readonly string[], fields: Fields): unknown {
  const kind = kindAt(at, fields)
  const name = at.join('.')
  if (kind === 'decimal' && !decimalPattern.test(text))
    throw new UsageError(`${name} must be a number, not ${text}.`)
  if (kind === 'integer') {
    if (!/^-?\d+$/.test(text)) throw new UsageError(`${name} must be a whole number, not ${text}.`)
    return Number(text)
  }
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false')
      throw new UsageError(`${name} must be true or false, not ${text}.`)
    return text === 'true'
  }
  if (kind === 'list') return text.split(',')
  return text
}

function setAt(body: unknown, at: readonly string[], value: unknown): unknown {
  const [name = '', ...rest] = at
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UsageError(`${name} cannot be set, because its parent is not an object.`)
  const inner = rest.length === 0 ? value : setAt((body as Record<string, unknown>)[name] ?? {}, rest, value) // any object has fields
  return { ...body, [name]: inner }
}
