import { Switchyard, type Operation } from '@switchyard/sdk'
import { createOpenApiCheck } from '../contract/openapi-check.ts'
import { sampleOf, type JsonSchema } from '../contract/sample.ts'
import type { Json } from '../app/test-app.ts'

interface Parameter {
  name?: string
  in?: string
  required?: boolean
  schema?: JsonSchema
}

export interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        parameters?: Parameter[]
        requestBody?: { content?: Record<string, { schema?: JsonSchema }> }
        responses?: object
      }
    >
  >
  components: { schemas: Record<string, JsonSchema> }
}

/** The text of the last answer that a client received. */
interface Received {
  status: number
  text: string
}

interface CheckedClient {
  client: Switchyard
  /** The last answer that the client received. */
  last: () => Received
}

/** A client whose every answer is held against the document. */
export function checkedClient(url: string, credential: string, document: Document): CheckedClient {
  const check = createOpenApiCheck(document)
  let received: Received = { status: 0, text: '' }
  const client = new Switchyard({
    baseUrl: url,
    ...(credential.startsWith('sy_') ? { apiKey: credential } : { accessToken: credential }),
    maxRetries: 0,
    async fetch(input, init) {
      const response = await fetch(input, init)
      const text = await response.clone().text()
      const contentType = response.headers.get('content-type') ?? ''
      const isJson = contentType.includes('json')
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
      check(init?.method ?? 'GET', pathname, { status: response.status, body, contentType })
      received = { status: response.status, text }
      return response
    },
  })
  return { client, last: () => received }
}

/** Arguments that replace those which are made from the document. */
export interface Override {
  path?: string[]
  body?: unknown
  query?: object
}

/** The arguments of a call, by their kind. */
export interface CallArguments {
  path: string[]
  body?: unknown
  query?: object
}

/** Arguments that fit the document; `values` supplies values by name. */
export function argumentsOf(
  document: Document,
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  override: Override,
): CallArguments {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
  if (!described) throw new Error(`the document has no ${operation.id}`)
  const options = {
    resolve: (reference: string) => document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {},
    valueFor: (name: string) => values[name],
  }
  const parameters = described.parameters ?? []
  const valueOf = ({ name = '', schema = {} }: Parameter): unknown =>
    values[name] ?? sampleOf(schema, options)
  const path = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    String(valueOf(parameters.find((one) => one.name === name) ?? {})),
  )
  const query = parameters.filter((one) => one.in === 'query')
  const schema = described.requestBody?.content?.['application/json']?.schema
  const required = query.filter((one) => one.required)
  return {
    path: override.path ?? path,
    ...(schema && { body: override.body ?? sampleOf(schema, options) }),
    ...(query.length > 0 && {
      query: override.query ?? Object.fromEntries(required.map((one) => [one.name, valueOf(one)])),
    }),
  }
}

/** In the order in which a method of the TypeScript SDK takes them. */
export const inPosition = ({ path, body, query }: CallArguments): unknown[] => [
  ...path,
  ...(body === undefined ? [] : [body]),
  ...(query === undefined ? [] : [query]),
]

/** Calls a method by its name and reads the whole answer. */
export async function callByName(client: Switchyard, id: string, args: readonly unknown[]): Promise<Json> {
  const [resource = '', name = ''] = id.split('.')
  const methods = (client as unknown as Record<string, Record<string, (...args: unknown[]) => Json>>)[
    resource
  ] // every resource is a property
  if (typeof methods?.[name] !== 'function') throw new Error(`the SDK has no method ${id}`)
  const result = methods[name](...args)
  if ('firstPage' in result) return (await result.firstPage()).data
  const data = await result
  return data instanceof ReadableStream ? new Response(data).text() : data
}
