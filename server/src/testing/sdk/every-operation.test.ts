import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError, OutcomeUnknown, operations, type Operation } from '@switchyard/sdk'
import { openEscrow } from '../test-escrow.ts'
import { usePayments } from '../test-payments.ts'
import { expectedRefusals } from './expected-refusals.ts'
import { makeFixtures } from './operation-fixtures.ts'
import { argumentsOf, callByName, checkedClient, type CheckedClient, type Document } from './sdk-calls.ts'

const t = usePayments()
let document: Document
let own: CheckedClient
let operator: CheckedClient
let fixtures: Awaited<ReturnType<typeof makeFixtures>>

beforeAll(async () => {
  document = (await t.call('GET', '/openapi.json')).body
  const escrow = await openEscrow(t)
  own = checkedClient(t.url, escrow.org.credential, document)
  operator = checkedClient(t.url, t.seed.platformAdmin.api_key, document)
  fixtures = await makeFixtures(own.client, operator.client, escrow)
})

/** What ends a resource comes last, so that the other calls still find it. */
const rankOf = ({ id, method }: Operation): number => {
  if (method === 'DELETE') return 3
  if (/\.(?:cancel|revoke|reject|close|end|freeze|accept|rotate|switch)/.test(id)) return 2
  return method === 'GET' ? 0 : 1
}
const inOrder = Object.values<Operation>(operations).toSorted((a, b) => rankOf(a) - rankOf(b))

/** The same digits, as text or as a number. */
const loosely = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_key, one: unknown) =>
      typeof one === 'string' && /^-?\d+(?:\.\d+)?$/.test(one) ? Number(one) : one,
    ),
  )

/** Calls an operation and compares what the SDK returns with what it received; returns the code of a refusal. */
async function outcomeOf(caller: CheckedClient, operation: Operation): Promise<string> {
  const args = argumentsOf(document, operation, fixtures.values, fixtures.overrides[operation.id] ?? {})
  try {
    const data: unknown = await callByName(caller.client, operation.id, args)
    const { text } = caller.last()
    const whole = text.startsWith('{') ? JSON.parse(text) : text === '' ? undefined : text
    expect(loosely(data)).toEqual(
      loosely(operation.envelope === undefined ? whole : whole?.[operation.envelope]),
    )
    return 'done'
  } catch (error) {
    const refusal = error instanceof OutcomeUnknown ? error.cause : error
    if (refusal instanceof ApiError && refusal.code !== undefined) return refusal.code
    throw error
  }
}

describe('every operation of the document', () => {
  it('is in the SDK, and no other', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(Object.keys(operations).toSorted()).toEqual(ids.toSorted())
  })

  it.each(inOrder)('$id is called, and its answer fits the document', async (operation) => {
    const first = await outcomeOf(own, operation)
    const outcome = first === 'FORBIDDEN' ? await outcomeOf(operator, operation) : first
    expect(outcome).toBe(expectedRefusals[operation.id] ?? 'done')
  })
})
