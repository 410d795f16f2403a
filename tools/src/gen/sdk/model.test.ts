import { describe, expect, it } from 'vitest'
import { modelOf } from './model.ts'
import type { OpenApiDocument, OperationObject, Schema } from './open-api.ts'
import { printTypeScript } from './print-typescript.ts'

const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const answer = (schema: Schema): OperationObject['responses'] => ({
  200: { content: { 'application/json': { schema } } },
})
const text: Schema = { type: 'string' }
const amount: Schema = { type: 'number' }

function documentOf(operation: OperationObject, schemas: Record<string, Schema> = {}): OpenApiDocument {
  return {
    info: { title: 'Test', version: '1' },
    paths: { '/v1/things/{thing_id}': { post: { operationId: 'things.make', ...operation } } },
    components: { schemas },
  }
}
const thingId = { name: 'thing_id', in: 'path', required: true, schema: text }
const methodOf = (operation: OperationObject, schemas?: Record<string, Schema>) => {
  const described = { parameters: [thingId], responses: answer(object({ name: text })), ...operation }
  return modelOf(documentOf(described, schemas), []).resources[0]?.methods[0]
}

describe('the model', () => {
  it('removes both envelopes and leaves other answers as they are', () => {
    const row = object({ amount })
    for (const [schema, envelope] of [
      [object({ status: text, message: text, data: row }), 'data'],
      [object({ statusCode: { type: 'integer' }, response: row }), 'response'],
      [object({ amount, status: text }), undefined],
    ] as const) {
      const decimals = [envelope === undefined ? 'amount' : `${envelope}.amount`]
      expect(methodOf({ responses: answer(schema) })?.answer).toMatchObject({
        kind: 'data',
        envelope,
        decimals,
      })
    }
  })

  it('finds decimals in lists, maps, unions and named types, each once', () => {
    const schemas = { Row: object({ rate: amount, count: { type: 'integer' } }) }
    const row = { $ref: '#/components/schemas/Row' }
    const body = object({
      rows: { type: 'array', items: row },
      by: { type: 'object', additionalProperties: amount },
      either: { anyOf: [amount, { type: 'null' }, row] },
      nullable: { type: ['number', 'null'] },
    })
    const content = { 'application/json': { schema: body } }
    expect(methodOf({ requestBody: { required: true, content } }, schemas)?.body?.decimals).toEqual([
      'rows.*.rate',
      'by.*',
      'either',
      'either.rate',
      'nullable',
    ])
  })

  it('leaves a value alone that may be text or a number', () => {
    const value = { anyOf: [{ type: 'string' }, amount, { type: 'boolean' }] }
    const body = object({
      metadata: { type: 'object', additionalProperties: { anyOf: [value, { type: 'array', items: value }] } },
    })
    const content = { 'application/json': { schema: body } }
    const method = methodOf({ requestBody: { required: true, content } })
    expect(method?.body?.decimals).toEqual([])
    expect(method?.body?.type).toMatchObject({
      fields: [{ name: 'metadata', type: { kind: 'map', of: { kind: 'unknown' } } }],
    })
  })

  it('recognises a page by its mark, a file by its type, and an answer that may be empty', () => {
    const list = object({ data: { type: 'array', items: object({ amount }) }, meta: object({}) })
    const cursor = { parameter: 'after', field: 'meta.after' }
    const paged = methodOf({ responses: answer(list), 'x-switchyard-cursor': cursor })
    expect(paged?.answer).toMatchObject({ kind: 'page', cursor: 'after', decimals: ['data.*.amount'] })
    const csv = { 200: { content: { 'text/csv': { schema: text } } } }
    expect(methodOf({ responses: csv })?.answer).toEqual({ kind: 'csv' })
    expect(methodOf({ responses: { 204: {} } })?.answer).toEqual({ kind: 'nothing' })
    const either = methodOf({ responses: { ...answer(object({ name: text })), 204: {} } })
    expect(either?.answer).toMatchObject({ kind: 'data', isOptional: true })
  })

  it('throws at what it cannot describe, with the place', () => {
    const bad = (schema: Schema) => () => methodOf({ responses: answer(object({ odd: schema })) })
    expect(bad({ allOf: [text] })).toThrow('POST /v1/things/{thing_id} answer.odd has allOf')
    expect(bad({ type: 'file' })).toThrow('answer.odd has the type file')
    expect(() => methodOf({ operationId: 'makeThing' })).toThrow('no operationId of the form resource.verb')
    expect(() => methodOf({ parameters: [] })).toThrow('does not describe its parameter thing_id')
    const self = { Node: object({ next: { $ref: '#/components/schemas/Node' } }) }
    expect(() => methodOf({ responses: answer({ $ref: '#/components/schemas/Node' }) }, self)).toThrow(
      'Node contains itself',
    )
  })
})

describe('the TypeScript printer', () => {
  it('prints open choices in answers, closed ones in requests, and variants that can be told apart', () => {
    const choice: Schema = { type: 'string', enum: ['a', 'b'] }
    const content = { 'application/json': { schema: object({ choice, amount }) } }
    const variants: Schema = { anyOf: [object({ choice }), object({ test: { type: 'boolean' } })] }
    const files = printTypeScript(
      modelOf(
        documentOf({
          parameters: [thingId],
          requestBody: { required: true, content },
          responses: answer(object({ data: variants })),
        }),
        [{ code: 'CONFLICT', statuses: [409], meaning: 'it is taken' }],
      ),
    )
    expect(files['types.ts']).toContain('choice: "a" | "b"\namount: DecimalInput')
    expect(files['types.ts']).toContain('choice: "a" | "b" | (string & {})\ntest?: undefined')
    expect(files['resources.ts']).toContain(
      'make(thingId: string, body: ThingsMakeBody, options?: CallOptions)',
    )
    expect(files['errors.ts']).toContain('export class Conflict extends ApiError')
  })
})
