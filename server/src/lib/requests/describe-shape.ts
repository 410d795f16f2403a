import type { Shape } from './request-shape.ts'
import { listOf } from '../text/sentences.ts'

const formats: Readonly<Record<string, { text: string; example: string } | undefined>> = {
  uuid: { text: 'a UUID', example: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f' },
  email: { text: 'an e-mail address', example: 'ada@example.com' },
  uri: { text: 'a URL', example: 'https://example.com/path' },
  'date-time': { text: 'a date and time in ISO 8601', example: '2026-03-01T09:30:00.000Z' },
  date: { text: 'a date', example: '2026-03-01' },
}
const maximumListed = 60

/** What a value must be, with an example: `a positive number below 100, such as 1500.25`. Undefined when anything fits. */
export function describeShapes(shapes: readonly Shape[]): string | undefined {
  const values = [...new Set(shapes.flatMap(valuesOf))]
  const texts = [
    ...(values.length > 0 ? [describeValues(values)] : []),
    ...shapes.filter((shape) => valuesOf(shape).length === 0 && shape.type !== 'null').flatMap(describe),
  ]
  if (texts.length === 0) return undefined
  const example = values.length > 0 ? undefined : shapes.map(exampleOf).find((one) => one !== undefined)
  return `${listOf([...new Set(texts)])}${example === undefined ? '' : `, such as ${example}`}`
}

const valuesOf = (shape: Shape): string[] =>
  (shape.enum ?? ('const' in shape ? [shape.const] : [])).filter((value) => value !== null).map(String)

const describeValues = (values: readonly string[]): string => {
  if (values.length === 1) return values.join('')
  return `one of ${values.length > maximumListed ? `${values.slice(0, maximumListed).join(', ')} and others` : listOf(values)}`
}

function describe(shape: Shape): string[] {
  switch (shape.type) {
    case 'number':
    case 'integer':
      return [describeNumber(shape)]
    case 'string':
      return [describeText(shape)]
    case 'boolean':
      return ['true or false']
    case 'array':
      return [`a list${sizeOf(shape.minItems, shape.maxItems, 'entries')}`]
    case 'object':
      return ['an object']
    case undefined:
    default:
      return []
  }
}

function describeNumber(shape: Shape): string {
  const noun = shape.type === 'integer' ? 'whole number' : 'number'
  const [low, high] = [boundOf(shape.minimum), boundOf(shape.maximum)]
  const isPositive = shape.exclusiveMinimum === 0
  const above = shape.exclusiveMinimum !== undefined && !isPositive ? ` above ${shape.exclusiveMinimum}` : ''
  const below = shape.exclusiveMaximum === undefined ? '' : ` below ${shape.exclusiveMaximum}`
  const range =
    low !== undefined && high !== undefined
      ? ` from ${low} to ${high}`
      : `${low === undefined ? '' : ` of at least ${low}`}${high === undefined ? '' : ` of at most ${high}`}`
  return `a ${isPositive ? 'positive ' : ''}${noun}${above}${range}${below}`
}

/** Zod gives every whole number the bounds of a safe integer, which are no help to a caller. */
const boundOf = (bound: number | undefined): number | undefined =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined

const describeText = (shape: Shape): string =>
  formats[shape.format ?? '']?.text ?? `a text${sizeOf(shape.minLength, shape.maxLength, 'characters')}`

function sizeOf(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && low === high) return ` of exactly ${low} ${unit}`
  if (low !== undefined && high !== undefined) return ` of ${low} to ${high} ${unit}`
  if (high !== undefined) return ` of at most ${high} ${unit}`
  if (low !== undefined) return ` of at least ${low} ${unit}`
  return ''
}

function exampleOf(shape: Shape): string | undefined {
  if (typeof shape.example === 'string' || typeof shape.example === 'number') return String(shape.example)
  if (shape.type === 'integer') return String(Math.max(boundOf(shape.minimum) ?? 10, 10))
  if (shape.type === 'number') return '1500.25'
  return shape.type === 'string' ? formats[shape.format ?? '']?.example : undefined
}
