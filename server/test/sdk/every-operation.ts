import { beforeAll, describe, expect, it } from 'vitest'
import { operations, type Operation } from '@switchyard/sdk'
import { openEscrow } from '../worlds/test-escrow.ts'
import { usePayments } from '../worlds/test-payments.ts'
import { expectedRefusals } from './expected-refusals.ts'
import { makeFixtures } from './operation-fixtures.ts'
import { argumentsOf, checkedClient, type CallArguments, type Document } from './sdk-calls.ts'

/** What a client returned together with the text that it received, or the code with which it was refused. */
export type CallResult = { code: string } | { code?: undefined; data: unknown; text: string }

/** A client of any language, whose every answer is held against the document. */
export interface SdkCaller {
  call(operation: Operation, args: CallArguments): Promise<CallResult>
}

interface Connection {
  url: string
  credential: string
  document: Document
}

/** Clients for one credential: the first makes every call, and the others repeat those that only read. */
type Connect = (connection: Connection) => Promise<readonly [SdkCaller, ...SdkCaller[]]>

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

/** Calls every operation of the document through an SDK, and compares what it returns with what it received. */
export function describeEveryOperation(connect: Connect): void {
  const t = usePayments()
  let document: Document
  let own: Awaited<ReturnType<Connect>>
  let operator: Awaited<ReturnType<Connect>>
  let fixtures: Awaited<ReturnType<typeof makeFixtures>>

  beforeAll(async () => {
    document = (await t.call('GET', '/openapi.json')).body
    const escrow = await openEscrow(t)
    const connection = (credential: string): Connection => ({ url: t.url, credential, document })
    const client = (credential: string) => checkedClient(t.url, credential, document).client
    const { credential } = escrow.org
    const operatorKey = t.seed.platformAdmin.api_key
    own = await connect(connection(credential))
    operator = await connect(connection(operatorKey))
    fixtures = await makeFixtures(client(credential), client(operatorKey), escrow)
  })

  async function outcomeOf(caller: SdkCaller, operation: Operation): Promise<string> {
    const override = fixtures.overrides[operation.id] ?? {}
    const result = await caller.call(operation, argumentsOf(document, operation, fixtures.values, override))
    if (result.code !== undefined) return result.code
    const { data, text } = result
    const whole = text.startsWith('{') ? JSON.parse(text) : text === '' ? undefined : text
    expect(loosely(data)).toEqual(
      loosely(operation.envelope === undefined ? whole : whole?.[operation.envelope]),
    )
    return 'done'
  }

  describe('every operation of the document', () => {
    it('is in the SDK, and no other', () => {
      const ids = Object.values(document.paths).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId),
      )
      expect(Object.keys(operations).toSorted()).toEqual(ids.toSorted())
    })

    it.each(inOrder)('$id is called, and its answer fits the document', async (operation) => {
      for (const [index, caller] of own.entries()) {
        if (index > 0 && operation.method !== 'GET') continue
        const first = await outcomeOf(caller, operation)
        const second = operator[index] ?? operator[0]
        const outcome = first === 'FORBIDDEN' ? await outcomeOf(second, operation) : first
        expect(outcome).toBe(expectedRefusals[operation.id] ?? 'done')
      }
    })
  })
}
