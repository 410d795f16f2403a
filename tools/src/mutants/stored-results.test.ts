import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MutantResult } from './run-trials.ts'
import { isTried, leftOf, type StoredResults } from './stored-results.ts'

const root = join(import.meta.dirname, '../../..')
const [one, other] = ['a.test.ts', 'b.test.ts']
const result = (number: number, outcome: MutantResult['outcome'], killer?: string): MutantResult => ({
  number,
  line: 1,
  kind: 'literal',
  start: 0,
  end: 1,
  original: '1',
  replacement: '2',
  isStatement: false,
  outcome,
  killedBy: killer && `${join(root, killer)} > it works`,
})
const results = [result(1, 'killed', one), result(2, 'timed out', other), result(3, 'survived')]
const chosen = {
  file: { path: 'a.ts', testFiles: [one, other], needsDatabase: true, mutates: 'code' as const },
  mutants: results,
}
const stored: StoredResults = { code: 'c', tests: { [one]: '1', [other]: '1' }, day: '2026-01-01', results }

function left(now: { code?: string; tests?: Record<string, string> } = {}, before = stored, mine = chosen) {
  const found = leftOf(mine, { code: 'c', tests: stored.tests, ...now }, before)
  return {
    killed: found.killed.map(({ number }) => number),
    changedTests: found.changedTests,
    survivors: [...found.survivors],
    isTried: isTried(found, mine),
  }
}

describe('what is left to try of a file', () => {
  it('is nothing while its code and its tests are the same', () => {
    expect(left()).toEqual({ killed: [1, 2], changedTests: [], survivors: [3], isTried: true })
  })

  it('is everything when its code has changed, or nothing is stored', () => {
    const all = { killed: [], changedTests: [one, other], survivors: [], isTried: false }
    expect(left({ code: 'd' })).toEqual(all)
    expect(leftOf(chosen, stored, undefined)).toMatchObject({ killed: [], changedTests: [one, other] })
  })

  it('is what a changed test has killed, and what survived', () => {
    expect(left({ tests: { [one]: '2', [other]: '1' } })).toEqual({
      killed: [2],
      changedTests: [one],
      survivors: [3],
      isTried: false,
    })
  })

  it('is a mutant that was not drawn before, and what a test killed that does not belong any more', () => {
    const drawn = { ...chosen, mutants: [...results, result(4, 'survived')] }
    expect(left({}, stored, drawn)).toMatchObject({ killed: [1, 2], survivors: [3], isTried: false })
    const narrowed = { ...chosen, file: { ...chosen.file, testFiles: [one] } }
    expect(left({}, stored, narrowed)).toMatchObject({ killed: [1], isTried: false })
  })
})
