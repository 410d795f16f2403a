import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawResults } from './plot.ts'
import { markdownTable, renderPage } from './render-page.ts'
import { readResults, resultsFile, type Results } from './results.ts'

const machine = { processor: 'X', cores: 2, memoryGb: 4, kernel: '6' }
const ledgerRow = {
  name: 'payins <of> one account',
  perCall: 1,
  perSecond: 12_345,
  p50Ms: 1,
  p99Ms: 2,
  eachMs: { postgres: 0.1, client: 0.05 },
  fdatasyncMs: 0.3,
}
const results: Results = {
  ledger: {
    at: '2026-11-17',
    load: 0.1,
    stolen: 0.124,
    machine,
    figures: { seconds: 10, connections: 64, rows: [ledgerRow] },
  },
}
const page = 'before\n\n<!-- figures: ledger -->\nold\n<!-- end of figures: ledger -->\n\nafter\n'

it('replaces the figures of what was measured, and nothing else', () => {
  const rendered = renderPage(page, results)
  expect(rendered).toMatch(/^before\n\n<!-- figures: ledger -->\n\n\| 64 callers/)
  expect(rendered).toContain('| 12,345 ')
  expect(rendered).toContain('with a load of 0.1 before it, while the host took 12 % of the processors.')
  expect(rendered).not.toContain('old')
  expect(rendered).toMatch(/<!-- end of figures: ledger -->\n\nafter\n$/)
  expect(renderPage(rendered, results)).toBe(rendered)
  expect(renderPage(page, {})).toBe(page)
})

it('refuses a page without a place for the figures', () => {
  expect(() => renderPage('nothing', results)).toThrow('the page has no place for the figures of ledger')
})

it('a table has columns of one width', () => {
  expect(
    markdownTable([
      ['a', 'bcde'],
      ['fghi', 'j'],
    ]),
  ).toBe('| a    | bcde |\n| ---- | ---- |\n| fghi | j    |')
})

it('the picture has a bar for each case, and its text is escaped', () => {
  const picture = drawResults(results)
  expect(picture).toContain('payins &lt;of> one account, 1')
  expect(picture).toContain('>12,345</text>')
})

it('the page and the picture show the kept figures', () => {
  const kept = readResults(resultsFile)
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
  expect(renderPage(read('performance.md'), kept)).toBe(read('performance.md'))
  expect(drawResults(kept)).toBe(read('performance.svg'))
})
