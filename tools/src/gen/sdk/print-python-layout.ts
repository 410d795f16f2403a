/** How generated Python is laid out: lines of at most 100 characters, indented by four spaces. */
const lineLength = 100
const step = '    '

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

export const indented = (text: string, levels = 1): string => text.replaceAll(/^(?=.)/gm, step.repeat(levels))

/** JSON's text is Python's, except that an emoji is written as it is in both. */
export const quoted = (text: string): string => JSON.stringify(text)

export const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text)

/** `fromCurrency` is from_currency, and `from` is from_, because it is a word of the language. */
export function pythonName(text: string): string {
  const snake = text.replaceAll(/(?<=[a-z0-9])([A-Z])/g, '_$1').toLowerCase()
  return keywords.has(snake) ? `${snake}_` : snake
}

/** `open` and `close` around the items: on one line if it fits, else one item on each. */
export function group(open: string, items: readonly string[], close: string, levels = 0): string {
  const short = `${open}${items.join(', ')}${close}`
  // One more for the comma that may follow.
  const isShort = !short.includes('\n') && levels * step.length + short.length < lineLength
  if (isShort || items.length === 0) return short
  return `${open}\n${items.map((item) => `${indented(item)},\n`).join('')}${close}`
}

/** A tuple of texts. */
export function textTuple(values: readonly string[]): string {
  const items = values.map(quoted)
  const short = `(${items.join(', ')}${items.length === 1 ? ',' : ''})`
  return short.length <= lineLength / 2 ? short : `(\n${items.map((item) => `${step}${item},\n`).join('')})`
}

/** Words over as many lines as they need. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** A docstring, or nothing; its paragraphs are wrapped for the level at which it stands. */
export function docstring(levels: number, ...paragraphs: readonly (string | undefined)[]): string {
  const width = lineLength - levels * step.length
  const given = paragraphs.filter((text): text is string => text !== undefined && text.trim() !== '')
  const text = given
    .flatMap((paragraph) => paragraph.split(/\n{2,}/))
    .map((paragraph) => wrapped(escaped(paragraph), width - 6).join('\n'))
    .join('\n\n')
  if (text === '') return ''
  return text.includes('\n\n') ? `"""${text}\n"""\n` : `"""${text}"""\n`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '\\"')

/** `left | right`, over several lines in parentheses if it does not fit after `before`. */
export function union(parts: readonly string[], before: number): string {
  const short = parts.join(' | ')
  if (!short.includes('\n') && before + short.length <= lineLength) return short
  if (parts.length <= 1) return short
  return `(\n${indented(parts.join('\n| '))}\n)`
}

/** `Literal[…]`, filled line by line if it is long. */
export function literal(values: readonly string[]): string {
  const short = `Literal[${values.join(', ')}]`
  if (short.length <= lineLength - 4 * step.length) return short
  const lines = wrapped(values.map((value) => `${value},`).join(' '), lineLength - 6 * step.length)
  return `Literal[\n${indented(lines.join('\n'))}\n]`
}
