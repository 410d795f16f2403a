import type { Ids } from './ids.ts'
import { writeJson } from './json-text.ts'
import type { HeaderEdit, PartEdit, Plan } from './plan.ts'
import { canaryPlace, IdMark } from './schema-values.ts'

/** The sender of a request: a role in an organisation with a key or a token, or nobody. */
export type Actor = {
  readonly name: string
  /** The organisation's name, from which its canary is derived. */
  readonly org: string
  readonly orgId: string
  readonly authorization: string
  readonly apiKey: string
}

export type Request = {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

const credentialOf = ({ apiKey, authorization }: Actor): string =>
  apiKey === 'NONE' ? authorization.replace('Bearer ', '') : apiKey

export const isSentBy = (actor: Actor, { headers }: Request): boolean =>
  actor.org !== 'nobody' && headers.some(([, value]) => value.includes(credentialOf(actor)))

export const canaryOf = (org: string): string => `canary-${org}-canary`

export function inWordsOf(speaker: Actor, planned: Actor, request: Request): Request {
  const spoken = (text: string): string => text.replaceAll(canaryOf(planned.org), canaryOf(speaker.org))
  const body = request.body === undefined ? undefined : spoken(request.body)
  return { ...request, path: spoken(request.path), body }
}

export function requestOf(
  plan: Plan,
  actor: Actor,
  { ids, stranger }: { ids: Ids; stranger: Actor },
): Request {
  const known = (value: unknown): unknown =>
    fill(value, (mark) => ids.resolve(mark, actor.org), canaryOf(actor.org))
  const parts = editParts(
    [...placesOf(plan.route.path, known(plan.path)), ...queryOf(known(plan.query))],
    plan.partEdits,
  )
  const path = plan.route.path.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => parts.find((one) => one.place === 'path' && one.name === name)?.text ?? '',
  )
  const query = parts.filter((one) => one.place === 'query').map(({ name, text }) => `${name}=${text}`)
  const body = plan.body === undefined ? undefined : writeJson(known(plan.body), plan.bodyEdits)
  const credentials = plan.headerEdits.map((edit) => ({
    ...edit,
    value: edit.value.replace('{stranger}', credentialOf(stranger)),
  }))
  const headers: [string, string][] = [
    ['authorization', actor.authorization],
    ['x-api-key', actor.apiKey],
    ...(body === undefined ? [] : [['content-type', 'application/json'] satisfies [string, string]]),
    ...(plan.idempotencyKey === undefined
      ? []
      : [['idempotency-key', plan.idempotencyKey] satisfies [string, string]]),
  ]
  return {
    method: plan.route.method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: credentials.reduce(editHeaders, headers),
    body,
  }
}

/** Fills in the placeholders for ids and the canary. */
function fill(value: unknown, resolve: (mark: IdMark) => string, canary: string): unknown {
  if (value instanceof IdMark) return resolve(value)
  if (typeof value === 'string') return value.replaceAll(canaryPlace, canary)
  if (Array.isArray(value)) return value.map((inner) => fill(inner, resolve, canary))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, resolve, canary)]))
}

type Part = { readonly place: 'path' | 'query'; readonly name: string; readonly text: string }

const entriesOf = (values: unknown): [string, unknown][] => Object.entries(values ?? {})
const escaped = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed())
const queryOf = (query: unknown): Part[] =>
  entriesOf(query).map(([name, value]) => ({ place: 'query', name, text: escaped(value) }))
const placesOf = (template: string, path: unknown): Part[] =>
  entriesOf(path)
    .filter(([name]) => template.includes(`{${name}}`))
    .map(([name, value]) => ({ place: 'path', name, text: escaped(value) }))

function editParts(parts: readonly Part[], edits: readonly PartEdit[]): Part[] {
  const edited = [...parts]
  for (const { at, how, text } of edits) {
    const index = at % Math.max(parts.length, 1)
    const part = edited[index]
    if (part === undefined || how === 'add') edited.push({ place: 'query', name: 'added', text })
    else if (how === 'replace') edited[index] = { ...part, text }
    else edited.push({ ...part, place: 'query', text })
  }
  return edited
}

function editHeaders(headers: [string, string][], { name, how, value }: HeaderEdit): [string, string][] {
  const others = headers.filter(([one]) => one !== name.toLowerCase())
  if (how === 'drop') return others
  return how === 'twice' ? [...headers, [name, value]] : [...others, [name, value]]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a shell command. */
export const curlOf = (url: string, { method, path, headers, body }: Request): string =>
  [
    `curl -sS -i --path-as-is -X ${method} ${quoted(url + path)}`,
    ...headers.map(([name, value]) => `-H ${quoted(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
  ].join(' ')
