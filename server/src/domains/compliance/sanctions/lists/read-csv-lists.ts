import { readFile } from 'node:fs/promises'
import { readCsv } from '../../../../lib/text/read-csv.ts'
import type { EntryKind, ListEntry, ListSource } from '../record.ts'
import { unreadableList } from './errors.ts'
import { toEntry } from './rules.ts'

type CsvRow = Readonly<Record<string, string>>

const rowsLimit = 2_000_000

const column = (row: CsvRow, ...names: readonly string[]): string => {
  for (const name of names) if (row[name] !== undefined) return row[name]
  return ''
}

const kindOf = (text: string): EntryKind => {
  const word = text.toLowerCase()
  if (word === 'individual') return 'person'
  return word === 'ship' ? 'vessel' : 'organisation'
}

const ukName = (row: CsvRow): string =>
  ['name 1', 'name 2', 'name 3', 'name 4', 'name 5', 'name 6']
    .map((part) => column(row, part))
    .filter((part) => part !== '' && part !== '0')
    .join(' ')

/**
 * OFSI's consolidated list and the UK Sanctions List as CSV: a first line with the date, a header, and a line for each
 * name of an entry.
 */
function ukEntry(entryId: string, rows: readonly CsvRow[]): ListEntry {
  const [first = {}] = rows
  return toEntry({
    entryId,
    kind: kindOf(column(first, 'group type', 'designation type')),
    names: [...rows.map(ukName), ...rows.map((row) => column(row, 'name non-latin script'))],
    birthDates: rows.flatMap((row) => column(row, 'dob', 'd.o.b').split(/[;|]/)),
    countries: rows.flatMap((row) =>
      [column(row, 'nationality', 'nationality(/ies)'), column(row, 'country', 'address country')].flatMap(
        (text) => text.split(/[;|]/),
      ),
    ),
    programmes: rows.map((row) => column(row, 'regime', 'regime name')),
  })
}

/** Skips the line above the header, which has the date of the list. */
function withoutBanner(text: string): string {
  const end = text.indexOf('\n')
  const first = text.slice(0, end === -1 ? text.length : end)
  return /(?:^|,)"?Name 6"?,/i.test(first) ? text : text.slice(first.length + 1)
}

export async function readCsvList(path: string): Promise<{ source: ListSource; entries: ListEntry[] }> {
  const text = withoutBanner(await readFile(path, 'utf8'))
  const rows = readCsv(text, rowsLimit)
  const idOf = (row: CsvRow): string => column(row, 'unique id', 'group id')
  if (rows.length === 0 || !rows.some((row) => idOf(row) !== '' && ukName(row) !== ''))
    throw unreadableList('the CSV has no columns of the UK list: Name 1 to Name 6 and Group ID or Unique ID')
  const groups = Map.groupBy(rows, idOf)
  return { source: 'uk', entries: [...groups].map(([entryId, group]) => ukEntry(entryId, group)) }
}
