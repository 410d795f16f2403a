import { isRecord, type JsonRecord } from '../kit/json-record.ts'

/** The id of the whole file in the validator. */
export const specId = 'spec'

const listsOfSchemas = ['allOf', 'anyOf', 'oneOf'] as const
const saysMore = ['properties', 'additionalProperties', '$ref', ...listsOfSchemas] as const

/**
 * Converts an OpenAPI 3.0 or 3.1 schema to JSON Schema 2020-12. Objects with listed properties allow no others,
 * so that a misspelt optional field is found.
 */
function toJsonSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const { nullable, $ref, properties, items, not, ...rest } = schema
  const copy: JsonRecord = { ...rest }
  if (typeof $ref === 'string') copy['$ref'] = $ref.replace(/^#/, `${specId}#`)
  for (const keyword of listsOfSchemas) {
    const list = schema[keyword]
    if (Array.isArray(list)) copy[keyword] = list.map(toJsonSchema)
  }
  if (isRecord(properties)) copy['properties'] = mapSchemas(properties, closedSchema)
  if (items !== undefined) copy['items'] = closedSchema(items)
  if (not !== undefined) copy['not'] = toJsonSchema(not)
  if (isRecord(schema['additionalProperties'])) {
    copy['additionalProperties'] = closedSchema(schema['additionalProperties'])
  }
  if (isFreeForm(schema)) copy['additionalProperties'] = true
  return nullable === true ? { anyOf: [copy, { type: 'null' }] } : copy
}

export function closedSchema(schema: unknown): unknown {
  const converted = toJsonSchema(schema)
  return isRecord(converted) ? { ...converted, unevaluatedProperties: false } : converted
}

/** The converted `components/schemas`, at the path that references use. */
export function schemaDocument(document: JsonRecord): JsonRecord {
  const components = document['components']
  const schemas = isRecord(components) && isRecord(components['schemas']) ? components['schemas'] : {}
  return { components: { schemas: mapSchemas(schemas, toJsonSchema) } }
}

/** Resolves `$ref` of parameters and request bodies; the validator resolves those of schemas. */
export function dereference(document: JsonRecord, node: unknown): unknown {
  if (!isRecord(node) || typeof node['$ref'] !== 'string') return node
  const parts = node['$ref'].replace(/^#\//, '').split('/')
  return parts.reduce<unknown>(
    (at, part) => (isRecord(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    document,
  )
}

function isFreeForm(schema: JsonRecord): boolean {
  const isObject = schema['type'] === undefined || schema['type'] === 'object'
  return isObject && saysMore.every((keyword) => schema[keyword] === undefined)
}

const mapSchemas = (schemas: JsonRecord, change: (schema: unknown) => unknown): JsonRecord =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]))
