interface Change {
  field: string
  before: string | undefined
  after: string | undefined
}

type Snapshot = Readonly<Record<string, unknown>> | null

/** The fields that differ, nested ones by their path. A field that is missing on one side is undefined there. */
export function diffOf(before: Snapshot, after: Snapshot): Change[] {
  const [old, now] = [flatten(before), flatten(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
    .filter((change) => change.before !== change.after)
}

/** Lists of plain values are compared as a whole; objects are compared field by field. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (value === null && path === '') return new Map()
  if (!hasFields(value)) return new Map([[path, wordsOf(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [
      ...flatten(part, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

const hasFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some(hasFields))

const wordsOf = (value: unknown): string => {
  if (Array.isArray(value) && value.length > 0) return value.map(wordsOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
