import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations, type Operation } from '@switchyard/sdk'
import { sampleOf, type JsonSchema } from '@switchyard/server/test/contract/sample.ts'
import { describe, expect, it } from 'vitest'
import { generatedCommands } from '../generated/commands.ts'
import { namesOf, kebab, type GeneratedCommand } from '../generated-command.ts'
import { keyEnv, runInProcess, type CliRun } from '../testing/test-io.ts'

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema?: JsonSchema
}

interface Described {
  summary: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Record<string, { schema?: JsonSchema }> }
}

interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> }
}

interface Sent {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  headers: Headers
}

const file = join(import.meta.dirname, '../../../docs/openapi.json')
const document: Document = JSON.parse(readFileSync(file, 'utf8'))
const orgId = '0198c0de-7a1b-7c3d-9e4f-000000000001'
const operationsById: Readonly<Record<string, Operation>> = operations

const resolve = (reference: string): JsonSchema =>
  document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
const sample = (schema: JsonSchema): unknown => sampleOf(schema, { resolve, valueFor: () => undefined })

async function send(args: readonly string[], stdin = ''): Promise<{ run: CliRun; sent: Sent | undefined }> {
  let sent: Sent | undefined
  const run = await runInProcess(args, {
    env: keyEnv('http://127.0.0.1:1'),
    stdin,
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const { method = 'GET', body, headers } = init ?? {}
      sent = {
        method,
        path: decodeURIComponent(url.pathname),
        query: Object.fromEntries(url.searchParams),
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
        headers: new Headers(headers),
      }
      return Promise.resolve(
        new Response(JSON.stringify({ status: 'success', data: [], meta: {}, response: {} })),
      )
    },
  })
  return { run, sent }
}

function describedOf(command: GeneratedCommand): { operation: Operation; described: Described } {
  const operation = operationsById[command.id]
  const described = operation && document.paths[operation.path]?.[operation.method.toLowerCase()]
  if (!operation || !described) throw new Error(`the document has no ${command.id}`)
  return { operation, described }
}

/** Every argument, flag and body that the document describes, and the request that they have to become. */
function exampleOf(command: GeneratedCommand): {
  args: string[]
  stdin: string
  expected: Omit<Sent, 'headers'>
} {
  const { operation, described } = describedOf(command)
  const parameters = (described.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : document.components.parameters[one.$ref.split('/').at(-1) ?? '']!,
  )
  const schema = described.requestBody?.content?.['application/json']?.schema
  const body = schema === undefined ? undefined : sample(schema)
  const args: string[] = []
  const query: Record<string, string> = {}
  let path = operation.path
  for (const [, name = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    const value = name === 'org_id' ? orgId : `0198c0de-7a1b-7c3d-9e4f-${name.padEnd(12, 'x').slice(0, 12)}`
    args.push(...(name === 'org_id' ? ['--org-id', value] : [value]))
    path = path.replace(`{${name}}`, value)
  }
  for (const { name, in: place, schema: type = {} } of parameters) {
    if (place !== 'query' || name === operation.cursor) continue
    const value = String(sample(type))
    args.push(`--${kebab(name)}`, value)
    query[name] = value
  }
  return {
    args: [...args, ...(body === undefined ? [] : ['--data', '-'])],
    stdin: JSON.stringify(body),
    expected: { method: operation.method, path, query, body },
  }
}

describe('every operation of the document', () => {
  const ids = Object.keys(operations).toSorted()

  it('is a command, and no other', () => {
    expect(generatedCommands.map(({ id }) => id).toSorted()).toEqual(ids)
  })

  it('prints help with its summary, and the help of a wrong call names the usage', async () => {
    for (const command of generatedCommands) {
      const { group, verb } = namesOf(command)
      const help = await runInProcess([group, verb, '--help'])
      expect(help.code).toBe(0)
      expect(help.printed.join('\n').replaceAll(/\s+/g, ' ')).toContain(command.summary)
      expect((await runInProcess([group, verb, '--surely-unknown'])).code).toBe(2)
    }
  })

  it('sends the request that the document describes', async () => {
    for (const command of generatedCommands) {
      const { group, verb } = namesOf(command)
      const { args, stdin, expected } = exampleOf(command)
      const { run, sent } = await send([group, verb, ...args], stdin)
      const { headers, ...request } = sent ?? { headers: new Headers() }
      expect({ id: command.id, said: run.said, ...request }).toEqual({
        id: command.id,
        said: '',
        ...expected,
      })
      expect(run.code).toBe(0)
      expect(headers.get('x-api-key')).toBe('sy_test_key')
      expect(headers.has('idempotency-key')).toBe(expected.method === 'POST')
    }
  })
})

describe('the body', () => {
  it('is made of fields, which have the types of the document and keep every digit', async () => {
    const fields = [
      'amount=1234.123456789012345678',
      'currency=KES',
      'payer_details.name=Ada',
      'metadata:={"n":1}',
    ]
    const { sent, run } = await send(['payments', 'initiate', ...fields.flatMap((field) => ['-d', field])])
    expect(run.code).toBe(0)
    expect(sent?.body).toEqual({
      amount: Number('1234.123456789012345678'),
      currency: 'KES',
      payer_details: { name: 'Ada' },
      metadata: { n: 1 },
    })
  })

  it('keeps the digits of a file, and fields change it', async () => {
    let text = ''
    await runInProcess(['payments', 'initiate', '-d', '-', '-d', 'currency=UGX'], {
      env: keyEnv('http://127.0.0.1:1'),
      stdin: '{"amount": 1500.00, "target_amount": 0.1234567890123456789, "currency": "KES"}',
      fetch: (_input, init) => {
        text = typeof init?.body === 'string' ? init.body : ''
        return Promise.resolve(new Response('{"statusCode":200,"response":{}}'))
      },
    })
    expect(text).toBe('{"amount":1500.00,"target_amount":0.1234567890123456789,"currency":"UGX"}')
  })

  it.each([
    [['payments', 'initiate'], 'needs a body'],
    [['payments', 'initiate', '-d', 'amount=ten'], 'amount must be a number'],
    [['payments', 'initiate', '-d', 'amount'], 'is not a field'],
    [['payments', 'initiate', '-d', '@/nowhere/body.json'], 'cannot be read'],
    [['payments', 'initiate', '-d', '{"amount":'], 'is not JSON'],
    [['payments', 'initiate', '-d', '__proto__.x=1'], 'is not a valid field name'],
    [['payments', 'initiate', '-d', '{}', '-d', '@other'], 'cannot be read'],
    [['api-keys', 'rotate', 'k', '-d', 'overlap_seconds=1.5'], 'a whole number'],
    [['transactions', 'list', '--limit', 'ten'], 'a whole number'],
    [['disputes', 'list', '--state', 'lost-it'], 'Allowed choices'],
    [['payments', 'get'], 'missing required argument'],
    [['payments', 'fly'], 'unknown command'],
    [['payments', 'get', '..'], 'is not an id'],
  ])('%j is wrong usage, and nothing is sent', async (args, message) => {
    const { run, sent } = await send(args)
    expect(run.said).toContain(message)
    expect(run.code).toBe(2)
    expect(sent).toBeUndefined()
  })
})
