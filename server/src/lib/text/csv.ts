import { isRawNumber } from './json.ts'

/** RFC 4180, in UTF-8. */
export const csvType = 'text/csv; charset=utf-8'

const lineEnd = '\r\n'
/** Some spreadsheets separate cells by semicolons or tabs. */
const needsQuotes = /[",;\t\r\n]/
/** Text that a spreadsheet would run as a formula, full-width signs included; numbers and phone numbers are safe. */
const formula = /^[\s\p{Cf}]*(?:[=@＝＋－＠﹦﹢﹣﹫]|[+-](?![\d\s().,-]*$))|^[\t\r\n]/u

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (isRawNumber(value)) return value.rawJSON
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export const csvLine = (cells: readonly unknown[]): string => cells.map(csvCell).join(',') + lineEnd

/** Yields one page at a time, so that an export of any length needs the memory of one page. */
export async function* csvText(
  columns: readonly string[],
  pages: AsyncIterable<readonly Record<string, unknown>[]>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const page of pages)
    yield page.map((row) => csvLine(columns.map((column) => row[column]))).join('')
}
