import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { csvLine } from './csv.ts'
import { readCsv } from './read-csv.ts'

const limit = 10_000
const read = (text: string) => readCsv(text, limit)

describe('reads', () => {
  it.each([
    [
      'lines that end with CRLF, LF or nothing',
      'a,b\r\n1,2\n3,4',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['a byte order mark', '\uFEFFa,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['quotes with commas, newlines and quotes', 'a,b\n"x,\n""y""",2', [{ a: 'x,\n"y"', b: '2' }]],
    ['blank lines as nothing', 'a\n\n1\n\n\n2\n', [{ a: '1' }, { a: '2' }]],
    ['empty cells as absent', 'a,b,c\n1,,\n,"",3', [{ a: '1' }, { c: '3' }]],
    ['column names in any case, with spaces around them', ' A , b\n1,2', [{ a: '1', b: '2' }]],
    ['a cell too many under its position', 'a\n1,2', [{ a: '1', 'column 2': '2' }]],
    ['a header alone as no rows', 'a,b\n', []],
  ])('%s', (_name, text, rows) => expect(read(text)).toEqual(rows))

  it('whatever the export writes', () =>
    fc.assert(
      fc.property(fc.array(fc.array(safeCell, { minLength: 2, maxLength: 2 }), { maxLength: 20 }), (rows) => {
        const text = csvLine(['a', 'b']) + rows.map(csvLine).join('')
        expect(read(text)).toEqual(rows.map(([a, b]) => ({ a, b })))
      }),
    ))

  it('a megabyte of quotes', () => {
    expect(read(`a\n"${'""'.repeat(500_000)}"`)[0]?.['a']).toHaveLength(500_000)
  })
})

describe('refuses', () => {
  it.each([
    ['an open quote', 'a\n"x', 'never closed'],
    ['text after a quote', 'a\n"x"y', 'after a closing quote'],
    ['a column named twice', 'a,A\n1,2', 'twice'],
    ['nothing at all', '', 'empty'],
    ['too many rows', 'a\n' + '1\n'.repeat(limit + 1), `more than ${limit} rows`],
  ])('%s', (_name, text, message) => expect(() => read(text)).toThrow(message))
})

/** Text that the export changes by no quote against formulas, and that has no spaces around it to trim. */
const safeCell = fc.stringMatching(/^[a-z",\n\r]{1,12}$/).filter((text) => text.trim() === text)
