import { isRecord, type JsonRecord } from './json-record.ts'

const depthLimit = 8
const fieldsLimit = 1_000

/** Field names are those of the wire, such as `a[b][0]`. Undefined fields are omitted. */
export type Form = Readonly<Record<string, string | number | bigint | undefined>>

export function encodeForm(form: Form): string {
  const encoded = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) encoded.set(name, String(value))
  return encoded.toString()
}

export function withQuery(path: string, query: Form): string {
  const encoded = encodeForm(query)
  return encoded === '' ? path : `${path}?${encoded}`
}

/** Reads `a[b][0]=c` as `{a: {b: ['c']}}`. Undefined if a name has another form. */
export function decodeForm(text: string): JsonRecord | undefined {
  const fields = [...new URLSearchParams(text)]
  if (fields.length > fieldsLimit) return undefined
  const root: JsonRecord = {}
  for (const [name, value] of fields) {
    const path = pathOf(name)
    if (path === undefined || path.length > depthLimit || !put(root, path, value)) return undefined
  }
  return mapValues(root, arraysInside)
}

function pathOf(name: string): string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!match) return undefined
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')
  const path = [match[1] ?? '', ...inner]
  return path.includes('__proto__') ? undefined : path
}

function put(root: JsonRecord, path: readonly string[], value: string): boolean {
  let target = root
  for (const part of path.slice(0, -1)) {
    const key = keyIn(target, part)
    const next = (target[key] ??= {})
    if (!isRecord(next)) return false
    target = next
  }
  const last = keyIn(target, path.at(-1) ?? '')
  if (Object.hasOwn(target, last)) return false
  target[last] = value
  return true
}

/** `a[]` takes the next free index. */
const keyIn = (target: JsonRecord, part: string): string =>
  part === '' ? String(Object.keys(target).length) : part

function arraysInside(value: unknown): unknown {
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, item]) => arraysInside(item)) : mapValues(value, arraysInside)
}

const mapValues = (record: JsonRecord, change: (value: unknown) => unknown): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
