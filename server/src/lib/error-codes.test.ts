import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codes, errorCodes } from './error-codes.ts'

const guide = readFileSync(new URL('../../../docs/api-guide.md', import.meta.url), 'utf8')

it('the guide lists every code with its statuses and its meaning, and no other', () => {
  const rows = [...guide.matchAll(/^\| `([A-Z_]+)` +\| ([\d, ]+?) +\| (.+?) +\|$/gm)]
  expect(rows.map(([, code, statuses, meaning]) => [code, statuses, meaning])).toEqual(
    codes.map((code) => [code, errorCodes[code].statuses.join(', '), errorCodes[code].meaning]),
  )
})
