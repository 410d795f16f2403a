export type SqlStatement = {
  readonly line: number
  /** In lower case and on one line, without comments; literals and quoted bodies are left out. */
  readonly text: string
  /** The lines of comment in front of it and in it. */
  readonly comments: readonly string[]
}

type Piece = { readonly kind: 'comment' | 'code' | 'end'; readonly text: string; readonly end: number }

/** The statements of a SQL file, as far as a rule about migrations has to know them. */
export function readStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let open: { line: number; text: string; comments: string[] } = { line: 0, text: '', comments: [] }
  const close = (): void => {
    const text = open.text.trim().split(/\s+/).join(' ').toLowerCase()
    if (text !== '') statements.push({ ...open, text })
    open = { line: 0, text: '', comments: [] }
  }
  let line = 1
  for (let at = 0; at < sql.length;) {
    const piece = pieceAt(sql, at)
    if (piece.kind === 'comment') open.comments.push(piece.text)
    else if (piece.kind === 'end') close()
    else {
      if (open.line === 0 && piece.text.trim() !== '') open.line = line
      open.text += piece.text
    }
    line += sql.slice(at, piece.end).split('\n').length - 1
    at = piece.end
  }
  close()
  return statements
}

/** A comment, a literal, a quoted body, the end of a statement, or one other character. */
function pieceAt(sql: string, at: number): Piece {
  const char = sql[at] ?? ''
  if (sql.startsWith('--', at)) {
    const end = endOf(sql, '\n', at)
    return { kind: 'comment', text: sql.slice(at + 2, end).trim(), end: end - 1 }
  }
  if (sql.startsWith('/*', at)) {
    const end = endOf(sql, '*/', at + 2)
    return { kind: 'comment', text: sql.slice(at + 2, end - 2).trim(), end }
  }
  if (char === ';') return { kind: 'end', text: char, end: at + 1 }
  if (char === "'") return { kind: 'code', text: "''", end: endOf(sql, "'", at + 1) }
  const [quote] = char === '$' ? (/^\$\w*\$/.exec(sql.slice(at, at + maxTagChars)) ?? []) : []
  if (quote !== undefined) return { kind: 'code', text: "''", end: endOf(sql, quote, at + quote.length) }
  return { kind: 'code', text: char, end: at + 1 }
}

const maxTagChars = 64

/** The place behind the next occurrence of the text, or behind the end of the file. */
function endOf(sql: string, text: string, from: number): number {
  const found = sql.indexOf(text, from)
  return found < 0 ? sql.length + 1 : found + text.length
}

/** Splits at the commas outside parentheses. */
export function splitActions(text: string): string[] {
  const actions: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (text[index] !== ',' || depth > 0) continue
    actions.push(text.slice(start, index).trim())
    start = index + 1
  }
  return [...actions, text.slice(start).trim()]
}
