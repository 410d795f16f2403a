import type { SpecShape } from './fields.ts'

interface SpecField {
  name: string
  type: string
  isNullable: boolean
  mayBeMissing: boolean
}

export const fieldsOf = (shape: SpecShape): SpecField[] =>
  Object.entries(shape).map(([key, text]) => {
    const [type = '', nullable] = text.split('|')
    return {
      name: key.replace('?', ''),
      type,
      isNullable: nullable === 'null',
      mayBeMissing: key.endsWith('?'),
    }
  })

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
}

/** What an object of a response has differently from the specification: names, types and nulls. */
export function deviationsOf(shape: SpecShape, value: unknown): string[] {
  if (!isObject(value)) return ['it is not an object']
  const object = value as Record<string, unknown> // checked above
  return fieldsOf(shape).flatMap(({ name, type, isNullable, mayBeMissing }) => {
    const field = object[name]
    if (field === undefined) return mayBeMissing ? [] : [`${name} is missing`]
    if (field === null) return isNullable ? [] : [`${name} is null`]
    return checks[type]?.(field) ? [] : [`${name} is not of type ${type}: ${JSON.stringify(field)}`]
  })
}
