const space = '  '

/** Indents JSON without parsing it, so that every digit is preserved. Other text is returned unchanged. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text
  let depth = 0
  const lineBreak = (): string => `\n${space.repeat(depth)}`
  return (text.match(/"(?:\\.|[^"\\])*"|[[{]\s*[\]}]|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [])
    .map((token) => {
      if (token === '{' || token === '[') {
        depth++
        return token + lineBreak()
      }
      if (token === '}' || token === ']') {
        depth--
        return lineBreak() + token
      }
      if (token === ',') return token + lineBreak()
      return token === ':' ? ': ' : token
    })
    .join('')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
