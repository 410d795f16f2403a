/** Removes a character from the start, in linear time for any input. */
export function trimStart(text: string, character: string): string {
  let start = 0
  while (text[start] === character) start++
  return text.slice(start)
}

/** Removes a character from the end, in linear time; the regular expression for it takes quadratic time. */
export function trimEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** Removes trailing zeros after the decimal point but keeps this many decimals; without any, the point goes too. */
export function trimDecimals(text: string, least: number): string {
  const point = text.indexOf('.')
  if (point === -1) return text
  const shortest = text.slice(0, point + 1 + least)
  const trimmed = shortest + trimEnd(text.slice(shortest.length), '0')
  return trimmed.endsWith('.') ? text.slice(0, point) : trimmed
}
