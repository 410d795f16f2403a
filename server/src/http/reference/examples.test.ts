import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleQueries, exampleReads } from '../../../test/contract/example-reads.ts'
import { exampleTargets } from '../../../test/contract/example-targets.ts'
import type { World } from '../../../test/contract/example-worlds.ts'
import { createOpenApiCheck } from '../../../test/contract/openapi-check.ts'
import { createPersonKeysDir } from '../../../test/app/person-keys.ts'
import { createRecorder } from '../../../test/contract/recorded-answers.ts'
import type { CallAnswer, Json } from '../../../test/app/test-app.ts'
import { openEscrow } from '../../../test/worlds/test-escrow.ts'
import { untilSettled, usePayments } from '../../../test/worlds/test-payments.ts'
import { requestExamples } from './examples/all.ts'

/** Sends every example of the OpenAPI document to the API and compares the answer with what the document says. */
const directory = createPersonKeysDir()
const t = usePayments({ delayMs: untilSettled, env: { PERSON_KEYS_DIR: directory } })
afterAll(() => rmSync(directory, { recursive: true }))
let document: Json
let world: World

beforeAll(async () => {
  document = (await t.call('GET', '/openapi.json')).body
  const escrow = await openEscrow(t)
  await escrow.org.call('POST', '/v1/public/webhooks', { endpoint_url: 'https://example.com/first' })
  world = { t, escrow, org: escrow.org }
})

/** `npm run record:answers` keeps what this run is answered as the examples of the document. */
const isRecording = process.env['RECORD_ANSWERS'] === '1'
const recorder = createRecorder()
afterAll(() => {
  if (isRecording) recorder.write()
})

/** The ids in what the examples were answered, by their names: those of the organisation itself, and all others. */
const own = new Map<string, string>()
const others = new Map<string, string>()

function remember(id: string, as: string, { status, body }: CallAnswer): void {
  recorder.note(id, { status, body })
  const [resource = ''] = id.split('.')
  const known = as === world.org.credential ? own : others
  const entries = [body?.data].flat().filter((entry) => typeof entry === 'object' && entry !== null)
  for (const [name, value] of entries.flatMap((entry: Json) => Object.entries(entry)))
    if (name.endsWith('_id') && typeof value === 'string' && value !== '')
      for (const key of [name, `${resource}.${name}`]) known.set(key, value)
}

const parameterOf = (id: string, name: string): string => {
  if (name === 'org_id') return world.org.orgId
  const keys = [`${id.split('.')[0]}.${name}`, name]
  const found = [own, others].flatMap((known) => keys.flatMap((key) => known.get(key) ?? []))
  return found[0] ?? ''
}

/** Puts the values in the place of the samples of the same name. */
function filled(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, values[name] ?? filled(inner, values)]),
  )
}

interface Found {
  method: string
  path: string
  operation: Json
}

function findOperation(id: string): Found {
  for (const [path, methods] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(methods))
      if (operation.operationId === id) return { method: method.toUpperCase(), path, operation }
  throw new Error(`the document has no ${id}`)
}

/** `t.call` also compares the answer with the schema of the document. */
async function sendExample(id: string, example: Json): Promise<{ answer: CallAnswer; found: Found }> {
  const found = findOperation(id)
  const { as, path = {}, values = {} } = (await exampleTargets[id]?.(world, example)) ?? { as: '' }
  const url = found.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const body = filled(example, values)
  const answer = await t.call(found.method, url, { as, body, unaudited: true })
  remember(id, as, answer)
  return { found, answer }
}

/** Sends an operation without a body, as the operator if the organisation may not. */
async function sendRead({ method, path, operation }: Found): Promise<CallAnswer> {
  const id: string = operation.operationId
  const target = await exampleReads[id]?.(world)
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(target?.path?.[name] ?? parameterOf(id, name)),
  )
  const hasLimit = operation.parameters?.some(({ name }: Json) => name === 'limit')
  const query = [exampleQueries[id], hasLimit ? 'limit=2' : undefined].filter(Boolean).join('&')
  const as = target?.as ?? world.org.credential
  const send = (by: string) => t.call(method, `${url}?${query}`, { as: by, unaudited: true })
  const answer = await send(as)
  const final = answer.status === 403 && !target ? await send(t.seed.platformAdmin.api_key) : answer
  remember(id, as, final)
  return final
}

const examples = Object.entries(requestExamples).flatMap(([id, named]) =>
  Object.entries(named).map(([title, value]): [string, string, Json] => [id, title, value as Json]),
)

describe('every example of the document is answered as documented', () => {
  it.each(examples)('%s: %s', async (id, title, value) => {
    const { answer, found } = await sendExample(id, value)
    const successes = Object.keys(found.operation.responses).filter((status) => status.startsWith('2'))
    if (!successes.includes(String(answer.status))) throw new Error(`${answer.status}: ${answer.text}`)
    const shown = Object.values<Json>(found.operation.requestBody.content['application/json'].examples)
    expect(shown.find(({ summary }) => summary === title)?.value).toEqual(value)
  })
})

it('every operation with a body has an example', () => {
  const missing = Object.values<Json>(document.paths)
    .flatMap((methods) => Object.values<Json>(methods))
    .filter(({ requestBody, security }) => requestBody !== undefined && security?.length !== 0)
    .filter(({ requestBody }) => !requestBody.content['application/json']?.examples)
    .map(({ operationId }) => String(operationId))
  expect(missing).toEqual([])
})

const isJson = ({ content }: Json): boolean => content?.['application/json'] !== undefined
const successesOf = ({ responses }: Json): [string, Json][] =>
  Object.entries<Json>(responses).filter(([status]) => status.startsWith('2'))

it('every operation without a body succeeds too', async () => {
  const reads = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const wanted = reads
    .filter(
      ({ operation }) => !operation.requestBody && successesOf(operation).some(([, one]) => isJson(one)),
    )
    // Providers call these, with bodies of their own.
    .filter(({ path }) => !path.includes('webhook/') && !path.includes('/webhooks/{token}'))
    .toSorted((one, other) => Number(one.method !== 'GET') - Number(other.method !== 'GET'))
  const failed: string[] = []
  for (const found of wanted) {
    const answer = await sendRead(found).catch((error: unknown) => ({ status: 0, text: String(error) }))
    if (answer.status === 0 || answer.status >= 300)
      failed.push(`${found.operation.operationId} ${answer.status}: ${answer.text}`)
  }
  expect(failed).toEqual([])
}, 180_000)

it.skipIf(isRecording)('every operation shows a recorded success, and each fits its schema', () => {
  const check = createOpenApiCheck(document)
  const missing: string[] = []
  for (const [path, methods] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(methods)) {
      const successes = successesOf(operation)
      const shown = successes.filter(([, one]) => one.content?.['application/json']?.example !== undefined)
      const needsOne = successes.every(([, one]) => isJson(one)) && operation.security?.length !== 0
      if (needsOne && shown.length === 0) missing.push(operation.operationId)
      for (const [status, { content }] of shown) {
        const body: unknown = content['application/json'].example
        check(method, path, { status: Number(status), body, contentType: undefined })
      }
    }
  expect(missing).toEqual([])
})
