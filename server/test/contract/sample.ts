import fc from 'fast-check'

/** The part of JSON Schema that our OpenAPI document uses. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  example?: unknown
  examples?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minItems?: number
  items?: JsonSchema
  required?: string[]
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

export interface SampleOptions {
  /** Follows a `$ref`. */
  resolve(reference: string): JsonSchema
  /** A value for the named property, even an optional one; undefined leaves it to the schema. */
  valueFor(name: string): unknown
  /** Whether to include this optional property. */
  wants?(name: string): boolean
  /** Which value of an enum to take; the first by default. */
  ofEnum?: 'first' | 'last'
}

/** A value that fits the schema, with required properties and those that the options supply. */
export function sampleOf(schema: JsonSchema, options: SampleOptions): unknown {
  if (schema.$ref !== undefined) return sampleOf(options.resolve(schema.$ref), options)
  const shown = [schema.example, ...(schema.examples ?? [])].find((example) => example !== undefined)
  if (shown !== undefined) return withValues(shown, schema, options)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.at(options.ofEnum === 'last' ? -1 : 0)
  const branch = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  if (branch) return sampleOf(branch, options)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, options)))
  return sampleOfType(schema, options)
}

function sampleOfType(schema: JsonSchema, options: SampleOptions): unknown {
  const type = [schema.type].flat().find((one) => one !== 'null') ?? (schema.properties ? 'object' : 'string')
  switch (type) {
    case 'object':
      return sampleOfObject(schema, options)
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () =>
        sampleOf(schema.items ?? {}, options),
      )
    case 'integer':
    case 'number':
      return sampleOfNumber(schema)
    case 'boolean':
      return true
    case 'string':
      return sampleOfText(schema)
    default:
      throw new Error(`sample.ts cannot make a ${type}`)
  }
}

function sampleOfObject(schema: JsonSchema, options: SampleOptions): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = options.valueFor(name)
    if (value !== undefined) made[name] = value
    else if (schema.required?.includes(name) || options.wants?.(name) === true || mentions(property, options))
      made[name] = wellKnown[name] ?? sampleOf(property, options)
  }
  return made
}

/** Values for fields whose rules go beyond JSON Schema, by name. */
const wellKnown: Readonly<Record<string, string>> = {
  card_number: '4111111111111111',
  phone: '+2348031234567',
  phone_number: '+2348031234567',
}

/** Whether an optional object or list contains a property that `valueFor` supplies. */
function mentions(schema: JsonSchema, options: SampleOptions): boolean {
  const { properties = {}, items } = schema.$ref === undefined ? schema : options.resolve(schema.$ref)
  return (
    (items !== undefined && mentions(items, options)) ||
    Object.entries(properties).some(
      ([name, property]) => options.valueFor(name) !== undefined || mentions(property, options),
    )
  )
}

/** The schema's example, with the values of `valueFor` filled in at any depth. */
function withValues(example: unknown, schema: JsonSchema, options: SampleOptions): unknown {
  if (Array.isArray(example)) return example.map((item) => withValues(item, schema.items ?? {}, options))
  if (typeof example !== 'object' || example === null) return example
  const made: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(example), ...Object.keys(schema.properties ?? {})])) {
    const value = options.valueFor(name)
    if (value !== undefined) made[name] = value
    else if (Object.hasOwn(example, name))
      made[name] = withValues(
        (example as Record<string, unknown>)[name],
        schema.properties?.[name] ?? {},
        options,
      ) // its own property
  }
  return made
}

function sampleOfNumber(schema: JsonSchema): number {
  const { exclusiveMinimum, minimum = exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1 } =
    schema
  const { exclusiveMaximum, maximum = exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1 } =
    schema
  const step = schema.multipleOf ?? 1
  const wanted = Math.max(Math.min(1, maximum ?? 1), minimum ?? -Infinity)
  return Math.ceil(wanted / step) * step
}

const dayMs = 24 * 60 * 60 * 1000
const formats: Readonly<Record<string, () => string>> = {
  uuid: () => '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f',
  email: () => 'sample@example.test',
  uri: () => 'https://example.test/sample',
  'date-time': () => new Date(Date.now() + dayMs).toISOString(),
  date: () => new Date().toISOString().slice(0, 10),
}

function sampleOfText(schema: JsonSchema): string {
  const byFormat = formats[schema.format ?? '']
  if (byFormat) return byFormat()
  // The text is deterministic for a pattern, so that a failure can be reproduced.
  if (schema.pattern !== undefined)
    return fc.sample(fc.stringMatching(new RegExp(schema.pattern)), { seed: 1, numRuns: 1 })[0] ?? ''
  return 'sample'.padEnd(schema.minLength ?? 0, '-')
}
