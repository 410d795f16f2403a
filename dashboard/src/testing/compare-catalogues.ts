/** Returns the flaws of a translation, each with its path in the catalogue. */
export function compareCatalogues(english: unknown, translated: unknown, path = ''): string[] {
  if (typeof english === 'string') return compareTexts(english, translated, path)
  if (typeof english === 'function') return compareFunctions(english, translated, path)
  if (!isGroup(english)) return []
  if (!isGroup(translated)) return [`${path} is missing`]
  const unknown = Object.keys(translated).filter((key) => !(key in english))
  return [
    ...unknown.map((key) => `${path}.${key} is not in English`),
    ...Object.keys(english).flatMap((key) =>
      compareCatalogues(english[key], translated[key], path === '' ? key : `${path}.${key}`),
    ),
  ]
}

/** Names and single words may be the same in two languages; a text of three words may not. */
const leastWords = 3
const isSentence = (text: string): boolean =>
  text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= leastWords

function compareTexts(english: string, translated: unknown, path: string): string[] {
  if (typeof translated !== 'string') return [`${path} is missing`]
  if (english.trim() !== '' && translated.trim() === '') return [`${path} is empty`]
  // Fixed formats, such as the columns of a file, have no spaces.
  if (translated === english && isSentence(english)) return [`${path} is not translated`]
  const isSpaced = (text: string): string => `${text.startsWith(' ')} ${text.endsWith(' ')}`
  return isSpaced(english) === isSpaced(translated)
    ? []
    : [`${path} begins or ends with a space in one language only`]
}

const counts = [0, 1, 2, 3, 11, 100]

function compareFunctions(english: Function, translated: unknown, path: string): string[] {
  if (typeof translated !== 'function') return [`${path} is missing`]
  const words = Array.from({ length: english.length }, (_, index) => `«${index}»`)
  const textOf = (text: Function, values: readonly unknown[]): string => String(text(...values))
  const lost = words.filter(
    (word) => textOf(english, words).includes(word) && !textOf(translated, words).includes(word),
  )
  const isSame = counts.some((count) => {
    const values = words.map(() => count)
    return isSentence(textOf(english, values)) && textOf(english, values) === textOf(translated, values)
  })
  return [
    ...lost.map((word) => `${path} leaves out ${word}`),
    ...(isSame ? [`${path} is not translated`] : []),
  ]
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
