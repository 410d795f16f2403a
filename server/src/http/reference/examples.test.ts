import { beforeAll, describe, expect, it } from 'vitest'
import { exampleTargets } from '../../testing/example-targets.ts'
import type { World } from '../../testing/example-worlds.ts'
import type { CallAnswer, Json } from '../../testing/test-app.ts'
import { openEscrow } from '../../testing/test-escrow.ts'
import { untilSettled, usePayments } from '../../testing/test-payments.ts'
import { requestExamples } from './examples/all.ts'

/** Sends every example of the OpenAPI document to the API and compares the answer with what the document says. */
const t = usePayments({ delayMs: untilSettled })
let document: Json
let world: World

beforeAll(async () => {
  document = (await t.call('GET', '/openapi.json')).body
  const escrow = await openEscrow(t)
  await escrow.org.call('POST', '/v1/public/webhooks', { endpoint_url: 'https://example.com/first' })
  world = { t, escrow, org: escrow.org }
})

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
  return { found, answer: await t.call(found.method, url, { as, body, unaudited: true }) }
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
