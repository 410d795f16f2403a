import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

type Callback = (error: Error | null | undefined) => void

/** The parts of pg that `pipeline.ts` and `archive/copy-stream.ts` use and its type definitions leave out. */
interface QueryInternals {
  callback: Callback
}
interface ClientInternals {
  connection: pg.Connection
}

const readManifest = (path: string): { version: string; dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(path, 'utf8'))
const { version } = readManifest(createRequire(import.meta.url).resolve('pg/package.json'))

/** Fails with a sentence for whoever upgrades pg, and not with the difference of two values alone. */
function expectSame(part: string, actual: unknown, expected: unknown): void {
  const problem = `pg ${version} has changed ${part}, on which kernel/db/pipeline.ts and kernel/db/archive/copy-stream.ts rely. Adapt them and then this test.`
  expect(isDeepStrictEqual(actual, expected) ? [] : [problem, { actual, expected }]).toEqual([])
}

const expectMethods = (name: string, target: object, methods: readonly string[]): void =>
  expectSame(
    `the methods of its ${name}`,
    methods.filter((method) => typeof Reflect.get(target, method) === 'function'),
    methods,
  )

let client: pg.Client
let connection: pg.Connection
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('postgresUrl'), query_timeout: 20_000 })
  await client.connect()
  connection = (client as unknown as ClientInternals).connection
})
afterAll(() => client.end())

it('pg is pinned to one version, because the pipeline uses its internals', () => {
  const { dependencies } = readManifest(new URL('../../../package.json', import.meta.url).pathname)
  expect(dependencies['pg']).toBe(version)
})

describe('a query of pg', () => {
  it('has the methods that ours override', () => {
    expectMethods('Query', pg.Query.prototype, [
      'submit',
      'handleRowDescription',
      'handleDataRow',
      'handleCommandComplete',
      'handleReadyForQuery',
      'handleError',
      'handleCopyData',
      'handleCopyInResponse',
    ])
  })

  it('has its callback in `callback`, where the client replaces it to add a timeout', async () => {
    const done: Callback = () => undefined
    const query = new pg.Query('select 1', done)
    const internals = query as unknown as QueryInternals
    expectSame('where a query has its callback', internals.callback === done, true)
    client.query(query)
    expectSame('how a client adds a timeout to a query', internals.callback === done, false)
    await client.query('select 1')
  })

  it('is submitted, and its methods are called for each message in order', async () => {
    const methods = [
      'submit',
      'handleRowDescription',
      'handleDataRow',
      'handleCommandComplete',
      'handleReadyForQuery',
    ]
    const query = new pg.Query('select 1 as a where $1', [true], () => undefined)
    const called: string[] = []
    for (const method of methods) {
      const original: unknown = Reflect.get(query, method)
      const recorded = (...values: unknown[]): unknown => {
        called.push(method)
        return typeof original === 'function' ? original.apply(query, values) : undefined
      }
      Object.assign(query, { [method]: recorded })
    }
    client.query(query)
    await client.query('select 1')
    expectSame('which methods of a query a client calls', called, methods)
  })
})

describe('a connection of pg', () => {
  it('emits each message under its name, with the fields that we read', async () => {
    const messages: Record<string, { fields?: unknown; text?: unknown }> = {}
    for (const name of ['parseComplete', 'rowDescription', 'dataRow', 'commandComplete'])
      connection.once(name, (message: object) => {
        messages[name] = message
      })
    await client.query('select 7 as number, null as nothing where $1', [true])
    const { parseComplete, rowDescription, dataRow, commandComplete } = messages
    expectSame('the message parseComplete', typeof parseComplete, 'object')
    expectSame('the message dataRow', dataRow?.fields, ['7', null])
    expectSame('the message commandComplete', commandComplete?.text, 'SELECT 1')
    const columns = rowDescription?.fields as { name?: string; dataTypeID?: number }[] | undefined
    expectSame(
      'the message rowDescription',
      columns?.map(({ name, dataTypeID }) => [name, dataTypeID]),
      [
        ['number', pg.types.builtins.INT4],
        ['nothing', pg.types.builtins.TEXT],
      ],
    )
  })

  it('has the stream that we write to, and the methods that COPY needs', () => {
    const { writable, writableNeedDrain } = connection.stream
    expectSame(
      'the stream of a connection',
      { writable, writableNeedDrain },
      { writable: true, writableNeedDrain: false },
    )
    expectMethods('stream', connection.stream, ['write', 'pause', 'resume', 'isPaused'])
    expectMethods('Connection', connection, ['query', 'sendCopyFromChunk', 'endCopyFrom', 'sendCopyFail'])
  })
})

describe('values', () => {
  it('are written as text, and bytes as they are', () => {
    const { utils } = pg as typeof pg & { utils?: { prepareValue?: (value: unknown) => unknown } }
    const bytes = Buffer.from([0, 255])
    const values = [7, 12n, true, undefined, ['a', null], { a: 1 }, bytes]
    expectSame(
      'utils.prepareValue',
      values.map((value) => utils?.prepareValue?.(value)),
      ['7', '12', 'true', null, '{"a",NULL}', '{"a":1}', bytes],
    )
  })

  it('are read by the type parsers of the client', () => {
    const read = client.getTypeParser(pg.types.builtins.INT4, 'text') as (text: string) => unknown
    expectSame('Client.getTypeParser', read('7'), 7)
  })
})
