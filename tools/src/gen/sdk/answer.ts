import type { OperationObject } from './open-api.ts'
import { decimalPaths, typeOf, type ApiType } from './types.ts'

/** What a successful call returns. */
export type Answer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'csv' }
  | {
      readonly kind: 'data' | 'page'
      /** The data without its envelope; the rows of a page. */
      readonly type: ApiType
      /** The field that holds the data. */
      readonly envelope: string | undefined
      /** The name of the cursor, in the query and in `meta`. */
      readonly cursor: string | undefined
      /** In the whole answer. */
      readonly decimals: readonly string[]
      /** Whether a successful answer may also have no body. */
      readonly isOptional: boolean
    }

export function describeAnswer(
  operation: OperationObject,
  types: ReadonlyMap<string, ApiType>,
  route: string,
): Answer {
  const contents = Object.entries(operation.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => content)
  const whole = contents.flatMap((content) => {
    const schema = content['application/json']?.schema
    return schema ? [typeOf(schema, (name) => name, `${route} answer`)] : []
  })
  const bodies = whole.map((type) => splitEnvelope(type, types))
  const [first] = bodies
  if (!first) return { kind: contents.some((content) => content['text/csv']) ? 'csv' : 'nothing' }
  if (bodies.some(({ envelope }) => envelope !== first.envelope))
    throw new Error(`${route} has answers with different envelopes`)
  const cursor = operation['x-switchyard-cursor']?.parameter
  const decimals = [...new Set(whole.flatMap((type) => decimalPaths(type, types)))]
  const common = { envelope: first.envelope, decimals, isOptional: whole.length < contents.length }
  if (cursor !== undefined && first.data.kind === 'list')
    return { ...common, kind: 'page', type: first.data.of, cursor }
  return { ...common, kind: 'data', type: oneOf(bodies.map(({ data }) => data)), cursor: undefined }
}

const oneOf = (variants: readonly ApiType[]): ApiType => {
  const distinct = [...new Map(variants.map((one) => [JSON.stringify(one), one])).values()]
  const [first = { kind: 'unknown' }] = distinct
  return distinct.length === 1 ? first : { kind: 'union', variants: distinct }
}

/** `{ status, message, data }` and `{ statusCode, response }` are envelopes; other answers are the data themselves. */
function splitEnvelope(
  type: ApiType,
  types: ReadonlyMap<string, ApiType>,
): { data: ApiType; envelope: string | undefined } {
  const object = type.kind === 'named' ? types.get(type.name) : type
  const fields = object?.kind === 'object' ? object.fields : []
  const has = (name: string): boolean => fields.some((field) => field.name === name)
  const isEnvelope = { data: has('data'), response: has('response') && has('statusCode') }
  const envelope = isEnvelope.data ? 'data' : isEnvelope.response ? 'response' : undefined
  const data = fields.find(({ name }) => name === envelope)?.type ?? type
  return { data, envelope }
}
