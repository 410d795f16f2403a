import { inspect, stripVTControlCharacters, styleText } from 'node:util'

export type Row = Readonly<Record<string, unknown>>

/** The columns that people look for first, in this order; others follow if there is room. */
const importantNames = [
  'name',
  'event_type',
  'kind',
  'method',
  'route',
  'status',
  'state',
  'direction',
  'amount',
  'currency',
  'provider',
  'country',
  'endpoint_url',
  'email',
  'role',
  'created_at',
]
const gap = '  '
const longestCell = 48

/** A table of the columns that fit. Control characters are removed, so that foreign text cannot change the terminal. */
export function tableLines(rows: readonly Row[], columns: number, hasColor: boolean): string[] {
  const names = fittingNames(rows, columns)
  const cells = rows.map((row) => names.map((name) => cellText(row[name])))
  const widths = names.map((name, index) =>
    Math.max(name.length, ...cells.map((row) => row[index]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(gap)
      .trimEnd()
  const header = line(names)
  return [hasColor ? styleText('bold', header, { validateStream: false }) : header, ...cells.map(line)]
}

/** The fields of one object, one per line; nested objects are indented. */
export function fieldLines(row: Row, indent = ''): string[] {
  const width = Math.max(0, ...Object.keys(row).map((name) => name.length))
  return Object.entries(row).flatMap(([name, value]) => {
    if (isRow(value) && Object.keys(value).length > 0)
      return [`${indent}${name}`, ...fieldLines(value, `${indent}  `)]
    if (Array.isArray(value) && value.some(isRow))
      return [
        `${indent}${name}`,
        ...value.flatMap((one: unknown) =>
          isRow(one) ? [`${indent}  -`, ...fieldLines(one, `${indent}    `)] : [`${indent}  - ${plain(one)}`],
        ),
      ]
    return [`${indent}${name.padEnd(width)}${gap}${plain(value)}`.trimEnd()]
  })
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fittingNames(rows: readonly Row[], columns: number): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isShort(row[name]))))]
  const rankOf = (name: string, index: number): number => {
    if (index === 0) return -1
    const rank = importantNames.indexOf(name)
    return rank === -1 ? importantNames.length + index : rank
  }
  const ranked = names
    .map((name, index) => ({ name, rank: rankOf(name, index) }))
    .toSorted((a, b) => a.rank - b.rank)
  const chosen: string[] = []
  let width = 0
  for (const { name } of ranked) {
    const own = Math.max(name.length, ...rows.map((row) => cellText(row[name]).length)) + gap.length
    if (chosen.length > 0 && width + own > columns + gap.length) continue
    chosen.push(name)
    width += own
  }
  return chosen
}

const isShort = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

function cellText(value: unknown): string {
  const text = value === undefined || value === null ? '' : plain(value)
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text
}

/** The value on one line, without control characters. */
export function plain(value: unknown): string {
  if (value === undefined || value === null) return '-'
  const text = isShort(value) ? String(value) : inspect(value, { breakLength: Infinity, depth: 4 })
  return stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, ' ')
}
