const anything = '…'

/** Why no JSON value in the text contains everything that is expected; undefined when one does. */
export function findMissing(expected: unknown, text: string): string | undefined {
  const values = jsonValuesIn(text)
  if (values.length === 0) return 'printed no JSON'
  const reasons = values.map((value) => mismatch(expected, value, ''))
  return reasons.includes(undefined) ? undefined : reasons.at(-1)
}

/** Every JSON object and array in the text, whatever surrounds them. */
export function jsonValuesIn(text: string): unknown[] {
  const values: unknown[] = []
  let position = 0
  while (position < text.length) {
    const end = /[[{]/.test(text.charAt(position)) ? closingPosition(text, position) : undefined
    const value = end === undefined ? undefined : parsed(text.slice(position, end))
    if (value === undefined || end === undefined) {
      position += 1
    } else {
      values.push(value)
      position = end
    }
  }
  return values
}

function mismatch(expected: unknown, actual: unknown, path: string): string | undefined {
  if (expected === anything && actual !== undefined) return undefined
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(expected, actual) ? undefined : difference(expected, actual, path)
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(expected) !== Array.isArray(actual)) {
    return difference(expected, actual, path)
  }
  const actualFields = new Map<string, unknown>(Object.entries(actual))
  for (const [key, value] of Object.entries(expected)) {
    const reason = mismatch(value, actualFields.get(key), path === '' ? key : `${path}.${key}`)
    if (reason !== undefined) return reason
  }
  return undefined
}

function difference(expected: unknown, actual: unknown, path: string): string {
  const got = actual === undefined ? 'nothing' : JSON.stringify(actual)
  return `${path === '' ? 'the answer' : path}: expected ${JSON.stringify(expected)}, got ${got}`
}

function closingPosition(text: string, start: number): number | undefined {
  let depth = 0
  let isInString = false
  for (let position = start; position < text.length; position += 1) {
    const character = text.charAt(position)
    if (isInString && character === '\\') position += 1
    else if (character === '"') isInString = !isInString
    else if (!isInString && /[[{]/.test(character)) depth += 1
    else if (!isInString && /[\]}]/.test(character)) depth -= 1
    if (depth === 0) return position + 1
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
