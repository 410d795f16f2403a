import { describe, expect, it } from 'vitest'
import { csvLine, csvText } from './csv.ts'
import { rawNumber } from './json.ts'

describe('a cell', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [rawNumber('1500.00'), '1500.00'],
    [true, 'true'],
    [12, '12'],
    [['a', 'b'], '"[""a"",""b""]"'],
    [{ amount: rawNumber('1.50') }, '"{""amount"":1.50}"'],
    ['=1+1', "'=1+1"],
    ['@sum(a)', "'@sum(a)"],
    ['+cmd|x', "'+cmd|x"],
    ['-2+3+cmd', "'-2+3+cmd"],
    ['a;b', '"a;b"'],
    ['a\tb', '"a\tb"'],
    ['a;=1+1', '"a;=1+1"'],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠sum(a)', "'＠sum(a)"],
    ['﹦1', "'﹦1"],
    ['\t=1', '"\'\t=1"'],
    ['\tplain', '"\'\tplain"'],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    [' =1', "' =1"],
    ['\u00a0@a', "'\u00a0@a"],
    ['\ufeff=1', "'\ufeff=1"],
    ['\u200b＝1', "'\u200b＝1"],
    [' +cmd|x', "' +cmd|x"],
    ['a＝1', 'a＝1'],
    ['+234 (0) 801-555', '+234 (0) 801-555'],
    ['-12.50', '-12.50'],
  ])('%j is written as %j', (value, written) => {
    expect(csvLine([value])).toBe(`${written}\r\n`)
  })
})

it('a page is read only after the previous one was consumed', async () => {
  let read = 0
  async function* pages() {
    for (; read < 5;) {
      read += 1
      yield [{ id: read }]
    }
  }
  const text = csvText(['id'], pages())
  expect((await text.next()).value).toBe('id\r\n')
  expect(read).toBe(0)
  expect((await text.next()).value).toBe('1\r\n')
  expect(read).toBe(1)
})
