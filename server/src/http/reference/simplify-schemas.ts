import type { Document, JsonSchema } from './document.ts'
import { mapObjects } from './map-objects.ts'

/** Formats whose pattern is redundant. */
const formatsWithPattern = new Set<unknown>(['uuid', 'date', 'date-time', 'email'])
const twinEnding = 'Input'

/**
 * Removes what the converter adds and no reader needs. Every number that is not an integer is an amount, a rate or a
 * percentage, which a double may not hold exactly, so its format is `decimal`.
 */
export function simplifySchemas(document: Document): Document {
  const simple = mapObjects(document, simplify) as unknown as Document // schemas stay schemas
  for (const methods of Object.values(simple.paths))
    for (const operation of Object.values(methods))
      operation.responses = openObjects(operation.responses ?? {})
  const { schemas } = simple.components
  for (const [name, schema] of Object.entries(schemas))
    if (!name.endsWith(twinEnding)) schemas[name] = openObjects(schema)
  return simple
}

function simplify(schema: JsonSchema): JsonSchema {
  const { type, format, pattern, minimum, maximum, ...rest } = schema
  const types = [type].flat()
  if (typeof pattern === 'string' && formatsWithPattern.has(format)) return { ...rest, type, format }
  if (types.includes('number')) return { ...schema, format: 'decimal' }
  if (!types.includes('integer')) return schema
  return {
    type,
    ...(minimum !== Number.MIN_SAFE_INTEGER && minimum !== undefined && { minimum }),
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
    ...rest,
  }
}

/** A later version may add fields to a response, so no response is closed. */
const openObjects = <Value>(value: Value): Value =>
  mapObjects(value, ({ additionalProperties, ...rest }) =>
    additionalProperties === false || additionalProperties === undefined
      ? rest
      : { ...rest, additionalProperties },
  ) as Value // the same value without a keyword
