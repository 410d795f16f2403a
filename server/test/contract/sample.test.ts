import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { sampleOf, type JsonSchema, type SampleOptions } from './sample.ts'

const plain: SampleOptions = { resolve: () => ({}), valueFor: () => undefined }
const text: JsonSchema = { type: 'string' }

describe('a sample', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormatsModule.default(ajv)

  it.each<[string, JsonSchema]>([
    ['enum', { enum: ['b', 'a'] }],
    ['const', { const: 7 }],
    ['uuid', { type: 'string', format: 'uuid' }],
    ['email', { type: 'string', format: 'email' }],
    ['uri', { type: 'string', format: 'uri' }],
    ['date-time', { type: 'string', format: 'date-time' }],
    ['pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d{6}$' }],
    ['minLength', { type: 'string', minLength: 20 }],
    ['minimum', { type: 'integer', minimum: 5, maximum: 5 }],
    ['exclusive limits', { type: 'number', exclusiveMinimum: 0, maximum: 1 }],
    ['maximum below one', { type: 'number', maximum: -3 }],
    ['multipleOf', { type: 'integer', minimum: 7, multipleOf: 5 }],
    ['nullable by type', { type: ['null', 'boolean'] }],
    ['nullable by branch', { anyOf: [{ type: 'null' }, { type: 'integer' }] }],
    ['oneOf', { oneOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, text] }],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: text }, required: ['a'] },
          { type: 'object', properties: { b: text }, required: ['b'] },
        ],
      },
    ],
    ['array', { type: 'array', items: { type: 'integer' }, minItems: 3 }],
    ['object', { type: 'object', properties: { a: text, b: text }, required: ['a'] }],
  ])('honours %s', (_name, schema) => {
    ajv.validate(schema, sampleOf(schema, plain))
    expect(ajv.errors ?? []).toEqual([])
  })

  it('leaves optional properties out, unless it is given a value for them, at any depth', () => {
    const inner: JsonSchema = { type: 'object', properties: { org_id: text, other: text } }
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: text, inner, org_id: text },
      required: ['a'],
    }
    expect(sampleOf(schema, plain)).toEqual({ a: 'sample' })
    const options: SampleOptions = { ...plain, valueFor: (name) => (name === 'org_id' ? 'mine' : undefined) }
    expect(sampleOf(schema, options)).toEqual({ a: 'sample', inner: { org_id: 'mine' }, org_id: 'mine' })
  })

  it('prefers the example of the schema, with the given values in it', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: text, org_id: text },
      example: { a: 'shown', list: [{ org_id: 'theirs' }] },
    }
    const options: SampleOptions = { ...plain, valueFor: (name) => (name === 'org_id' ? 'mine' : undefined) }
    expect(sampleOf(schema, options)).toEqual({ a: 'shown', org_id: 'mine', list: [{ org_id: 'mine' }] })
  })

  it('follows references', () => {
    const options: SampleOptions = { ...plain, resolve: (name) => ({ const: name }) }
    expect(sampleOf({ $ref: '#/components/schemas/Thing' }, options)).toBe('#/components/schemas/Thing')
  })
})
