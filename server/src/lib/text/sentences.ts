const predicate =
  /^(?:must|is|are|was|were|has|have|had|needs?|exceeds?|cannot|can|does|do|may|lies|looks|contains?|belongs?)\b/

/** A whole sentence about a field, from a problem that may be only its predicate, such as `must be positive`. */
export function toSentence(field: string, problem: string): string {
  const end = /[.?!]$/.test(problem) ? '' : '.'
  if (predicate.test(problem)) return `${field || 'The request'} ${problem}${end}`
  const [firstWord = ''] = problem.split(' ', 1)
  const isWhole = /^[^a-z]/.test(problem) || field.endsWith(firstWord)
  if (isWhole) return `${problem}${end}`
  const text = capitalize(problem)
  return field === '' ? `${text}${end}` : `${end === '' ? text.slice(0, -1) : text} (${field}).`
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `a, b or c` */
export const listOf = (names: readonly string[], lastWord = 'or'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${lastWord} ${names.at(-1)}`
