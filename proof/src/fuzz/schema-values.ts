import fc from 'fast-check'
import type { JsonSchema } from '@switchyard/server/test/contract/sample.ts'

/** The subset of JSON Schema that bodies and queries use. */
export type Schema = JsonSchema & {
  maxLength?: number
  maxItems?: number
  additionalProperties?: Schema | boolean
  items?: Schema
}

export type Resolve = (reference: string) => Schema

/** A placeholder for an id: the caller's own, another organisation's, or one that does not exist. */
export class IdMark {
  readonly name: string
  readonly whose: 'own' | 'foreign' | 'nobody'
  readonly pick: number
  constructor(name: string, whose: IdMark['whose'], pick: number) {
    this.name = name
    this.whose = whose
    this.pick = pick
  }
}

export const idMark = (name: string): fc.Arbitrary<IdMark> =>
  fc
    .record({
      whose: fc.oneof(
        { weight: 8, arbitrary: fc.constant('own' as const) },
        { weight: 2, arbitrary: fc.constant('foreign' as const) },
        { weight: 1, arbitrary: fc.constant('nobody' as const) },
      ),
      pick: fc.nat(1_000),
    })
    .map(({ whose, pick }) => new IdMark(name, whose, pick))

/** A placeholder for the canary of the sender's organisation, which reveals leaks. */
export const canaryPlace = '{canary}'

/** Values for fields whose schema does not say what is valid. */
const wellKnown: Readonly<Record<string, readonly unknown[]>> = {
  card_number: ['4242424242424242', '4111111111111111', '4000000000009995', '4084084084084081'],
  phone: ['+2348031234567', '256772000130'],
  phone_number: ['+2348031234567', '256772000130', '254708000140'],
  country: ['NG', 'KE', 'GH', 'UG', 'GB', 'US'],
  currency: ['NGN', 'KES', 'GHS', 'UGX', 'GBP', 'JPY', 'KWD'],
  fromCurrency: ['NGN', 'GBP'],
  toCurrency: ['KES', 'UGX'],
  endpoint_url: ['https://example.com:8443/hooks', 'http://127.0.0.1:8443/hooks'],
  expires_at: ['2030-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
}

const depthLimit = 8

/** Values that mostly match the schema. */
export function valuesOf(schema: Schema, resolve: Resolve, name = '', depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(resolve(schema.$ref), resolve, name, depth)
  if (name.endsWith('_id') && isText(schema)) return idMark(name)
  const known = wellKnown[name]
  const usual = known && isText(schema) ? fc.constantFrom(...known) : undefined
  const arbitrary = depth > depthLimit ? fc.constant(null) : valuesOfShape(schema, resolve, name, depth)
  return usual ? fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary }) : arbitrary
}

const isText = ({ type, anyOf, enum: values }: Schema): boolean =>
  values === undefined &&
  ([type].flat().includes('string') || (anyOf?.some((one) => [one.type].flat().includes('string')) ?? false))

function valuesOfShape(schema: Schema, resolve: Resolve, name: string, depth: number): fc.Arbitrary<unknown> {
  const inner = (one: Schema): fc.Arbitrary<unknown> => valuesOf(one, resolve, name, depth + 1)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return fc.oneof(...branches.map(inner))
  if (schema.allOf)
    return fc.tuple(...schema.allOf.map(inner)).map((parts): unknown => Object.assign({}, ...parts))
  const type = [schema.type].flat()[0] ?? (schema.properties ? 'object' : undefined)
  switch (type) {
    case 'object':
      return objectOf(schema, resolve, depth)
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer')
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textOf(schema)
    case undefined:
      return fc.jsonValue({ maxDepth: 3 })
    default:
      throw new Error(`schema-values.ts cannot make a ${type} yet`)
  }
}

function objectOf(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0)
    return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
  const model = Object.fromEntries(
    properties.map(([key, one]) => [key, valuesOf(one, resolve, key, depth + 1)]),
  )
  return fc.record(model, { requiredKeys: schema.required ?? [] })
}

function numberOf(schema: Schema, isWhole: boolean): fc.Arbitrary<unknown> {
  const step = isWhole ? 1 : 0.01
  const min =
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1_000 : schema.exclusiveMinimum + step)
  const max =
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? 1_000_000 : schema.exclusiveMaximum - step)
  const whole = fc.integer({ min: Math.ceil(Math.max(min, -1e6)), max: Math.floor(Math.min(max, 1e6)) })
  const edges = fc.constantFrom(min, max, min - step, max + step)
  return fc.oneof(
    { weight: 8, arbitrary: isWhole ? whole : whole.map((value) => value + 0.25) },
    { weight: 1, arbitrary: edges },
  )
}

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  email: fc.nat(100_000).map((number) => `person-${number}@example.com`),
  uri: fc.oneof(fc.constant('https://example.com/back'), fc.webUrl()),
  'date-time': fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const byFormat = formats[schema.format ?? '']
  if (byFormat) return byFormat
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
  const { minLength = 0, maxLength = 200 } = schema
  const edge = fc.constantFrom(
    'x'.repeat(maxLength),
    'x'.repeat(maxLength + 1),
    'x'.repeat(Math.max(0, minLength - 1)),
  )
  if (maxLength < 40)
    return fc.oneof(
      { weight: 4, arbitrary: fc.string({ minLength, maxLength }) },
      { weight: 1, arbitrary: edge },
    )
  const marked = fc.string({ maxLength: 12 }).map((text) => `${canaryPlace} ${text}`)
  return fc.oneof({ weight: 8, arbitrary: marked }, { weight: 1, arbitrary: edge })
}
