import { validationError } from '../errors.ts'

const byteOrderMark = '\uFEFF'

/**
 * Reads RFC 4180 text with a header line into one object per line. An empty cell is left out; a cell beyond the header
 * is named by its position, so that a check of the names finds it.
 */
export function readCsv(text: string, rowsLimit: number): Record<string, string>[] {
  const [header = [], ...lines] = [...csvRecords(text, rowsLimit + 1)]
  const names = header.map((name) => name.trim().toLowerCase())
  if (names.length === 0) throw validationError('The CSV is empty. Its first line names the columns.')
  if (new Set(names).size < names.length) throw validationError('The CSV names a column twice.')
  return lines.map((cells) =>
    Object.fromEntries(
      cells
        .map((cell, index) => [names[index] ?? `column ${index + 1}`, cell] as const)
        .filter(([, cell]) => cell !== ''),
    ),
  )
}

/** Blank lines are skipped. One character at a time, so that the work is linear whatever the quotes are. */
function* csvRecords(text: string, recordsLimit: number): Generator<string[]> {
  let cells: string[] = []
  let count = 0
  const isBlank = (): boolean => cells.length === 1 && cells[0] === ''
  for (const { cell, endsRecord } of csvCells(text)) {
    cells.push(cell)
    if (!endsRecord) continue
    if (!isBlank()) {
      count += 1
      if (count > recordsLimit) throw validationError(`The CSV has more than ${recordsLimit - 1} rows.`)
      yield cells
    }
    cells = []
  }
}

const cellEnd = /[,\r\n]/g

function* csvCells(text: string): Generator<{ cell: string; endsRecord: boolean }> {
  let at = text.startsWith(byteOrderMark) ? 1 : 0
  while (at <= text.length) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
    const next = text[end]
    if (next !== undefined && next !== ',' && next !== '\r' && next !== '\n')
      throw validationError('The CSV has text after a closing quote.')
    yield { cell, endsRecord: next !== ',' }
    at = end + (next === '\r' && text[end + 1] === '\n' ? 2 : 1)
  }
}

function plainCell(text: string, start: number): { cell: string; end: number } {
  cellEnd.lastIndex = start
  const end = cellEnd.exec(text)?.index ?? text.length
  return { cell: text.slice(start, end).trim(), end }
}

function quotedCell(text: string, start: number): { cell: string; end: number } {
  const parts: string[] = []
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) throw validationError('The CSV has a quote that is never closed.')
    parts.push(text.slice(at, quote))
    if (text[quote + 1] !== '"') return { cell: parts.join('"'), end: quote + 1 }
    at = quote + 2
  }
}
