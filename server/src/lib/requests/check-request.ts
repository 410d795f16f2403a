import { z } from 'zod'
import { describeShapes } from './describe-shape.ts'
import type { ErrorDetail } from '../errors.ts'
import { InexactNumber } from '../text/json.ts'
import { shapeOf, shapesAt } from './request-shape.ts'
import { toSentence } from '../text/sentences.ts'

type CheckResult<Output> =
  | { success: true; data: Output; details?: never }
  | { success: false; details: ErrorDetail[] }

/** Parses like Zod, but describes what is wrong in sentences of our own instead of Zod's texts. */
export function checkRequest<Schema extends z.core.$ZodType>(
  schema: Schema,
  data: unknown,
): CheckResult<z.output<Schema>> {
  // A schema's own message wins over the empty text, which therefore marks an issue that has no message.
  const parsed = z.core.safeParse(schema, data, { error: () => '' })
  if (parsed.success) return { success: true, data: parsed.data }
  const issues = parsed.error.issues.flatMap((issue) => flatten(issue, []))
  return { success: false, details: issues.flatMap((issue) => describeIssue(schema, data, issue)) }
}

interface FlatIssue {
  issue: z.core.$ZodIssue
  path: readonly PropertyKey[]
}

/** A union reports the issues of each branch; those of the branch that came nearest are what the caller can use. */
function flatten(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): FlatIssue[] {
  const path = [...before, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.message !== '') return [{ issue, path }]
  const nearest = issue.errors
    .filter((errors) => errors.some((inner) => inner.path.length > 0))
    .toSorted((a, b) => a.length - b.length)[0]
  return nearest ? nearest.flatMap((inner) => flatten(inner, path)) : [{ issue, path }]
}

function describeIssue(schema: z.core.$ZodType, data: unknown, { issue, path }: FlatIssue): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => detail([...path, key], 'is not a field of this request'))
  if (issue.code === 'invalid_key') return [detail(path, 'has a name that is not accepted here')]
  if (issue.message !== '') return [detail(path, issue.message)]
  const value = valueAt(data, path)
  if (value instanceof InexactNumber)
    return [detail(path, 'must be a number with at most 15 significant digits, such as 1500.25')]
  const expected =
    issue.code === 'invalid_value' && 'expected' in issue
      ? 'true or false'
      : describeShapes(shapesAt(shapeOf(schema), path))
  if (value === undefined || (path.length === 0 && value === null))
    return [detail(path, `is required${expected === undefined ? '' : `; it must be ${expected}`}`)]
  return [detail(path, expected === undefined ? 'is not valid' : `must be ${expected}`)]
}

const detail = (path: readonly PropertyKey[], problem: string): ErrorDetail => ({
  path: path.map(String).join('.'),
  message: toSentence(path.length === 0 ? 'The body' : path.map(String).join('.'), problem),
})

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    // An object or array, of which any own key may be read.
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
