import { decimalText } from './decimal.ts'

/** The paths of decimals in a body, such as `data.*.amount`; `*` matches every element of a list or a map. */
export type DecimalPaths = readonly string[]

interface Places {
  isDecimal: boolean
  readonly inside: Map<string, Places>
}

class NumberSource {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const everyElement = '*'
const placesByPaths = new WeakMap<DecimalPaths, Places>()

/** Parses JSON. Numbers at the given paths become text with the same digits; all others become numbers. */
export const readJson = (text: string, decimals: DecimalPaths): unknown =>
  withNumbers(parseSources(text), placesOf(decimals))

/** Parses JSON of unknown shape. Every fractional number may be money, so it becomes text. */
export const readUnknownJson = (text: string): unknown => withNumbers(parseSources(text), 'fractions')

/** Writes JSON. Text at the given paths becomes a number with the same digits. */
export const writeJson = (value: unknown, decimals: DecimalPaths): string =>
  write(value, placesOf(decimals), '') ?? 'null'

function placesOf(decimals: DecimalPaths): Places {
  const known = placesByPaths.get(decimals)
  if (known) return known
  const root: Places = { isDecimal: false, inside: new Map() }
  for (const path of decimals) {
    let place = root
    for (const name of path.split('.')) {
      const next = place.inside.get(name) ?? { isDecimal: false, inside: new Map() }
      place.inside.set(name, next)
      place = next
    }
    place.isDecimal = true
  }
  placesByPaths.set(decimals, root)
  return root
}

const inside = (places: Places | undefined, name: string): Places | undefined =>
  places?.inside.get(name) ?? places?.inside.get(everyElement)

function withNumbers(value: unknown, places: Places | 'fractions' | undefined): unknown {
  if (value instanceof NumberSource) {
    const isText = places === 'fractions' ? value.text.includes('.') : places?.isDecimal === true
    return isText ? value.text : Number(value.text)
  }
  if (typeof value !== 'object' || value === null) return value
  const next = (name: string) => (places === 'fractions' ? places : inside(places, name))
  if (Array.isArray(value)) return value.map((element) => withNumbers(element, next(everyElement)))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withNumbers(field, next(name))]),
  )
}

function write(value: unknown, places: Places | undefined, at: string): string | undefined {
  if (
    places?.isDecimal &&
    (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
  )
    return decimalText(value, at)
  // JSON.stringify turns NaN and Infinity into null, which would unset a field.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${at} is ${value}`)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON(), places, at)
  const next = (name: string, field: unknown) =>
    write(field, inside(places, name), at === '' ? name : `${at}.${name}`)
  if (Array.isArray(value))
    return `[${value.map((element, index) => next(String(index), element) ?? 'null').join(',')}]`
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const text = next(name, field)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(',')}}`
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown

const hasSources =
  JSON.parse('1.0', ((_key, _value, context) => context?.source === '1.0') as Reviver) === true // the third argument is newer than TypeScript's library

const parseSources = (text: string): unknown => (hasSources ? parseNatively(text) : parseByScan(text))

function parseNatively(text: string): unknown {
  const revive: Reviver = (_key, value, context) =>
    typeof value === 'number' ? new NumberSource(context?.source ?? String(value)) : value
  return JSON.parse(text, revive)
}

/** For runtimes whose JSON.parse does not expose the source text of a number. Exported for its tests. */
export function parseByScan(text: string): unknown {
  JSON.parse(text)
  return unmark(JSON.parse(markTokens(text)))
}

/** Turns each number into text that starts with `n`, and prefixes all other text with `s`. Expects valid JSON. */
function markTokens(text: string): string {
  const marked: string[] = []
  for (let index = 0; index < text.length;) {
    const isText = text[index] === '"'
    const end = isText ? endOfText(text, index) : endOfNumber(text, index)
    if (isText) marked.push(`"s${text.slice(index + 1, end)}`)
    else if (end > index) marked.push(`"n${text.slice(index, end)}"`)
    else marked.push(text[index] ?? '')
    index = Math.max(end, index + 1)
  }
  return marked.join('')
}

function endOfText(text: string, start: number): number {
  let index = start + 1
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}

const isPartOfNumber = (char: string | undefined): boolean =>
  char !== undefined && (('0' <= char && char <= '9') || '+-.eE'.includes(char))

/** Returns the same index if no number starts there; `e` also occurs in `true` and `false`. */
function endOfNumber(text: string, start: number): number {
  const first = text[start] ?? ''
  let index = start
  if (first === '-' || ('0' <= first && first <= '9')) while (isPartOfNumber(text[index])) index++
  return index
}

function unmark(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith('n') ? new NumberSource(value.slice(1)) : value.slice(1)
  if (Array.isArray(value)) return value.map(unmark)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.slice(1), unmark(field)]))
}
