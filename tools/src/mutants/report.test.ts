import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areas } from './areas.ts'
import { allMutants } from './run-trials.ts'
import { countOf, reportOf, scoreOf, type ReportedFile, type ReportedMutant } from './report.ts'
import { expectedSurvivors, isExpected } from './survivors.ts'

const root = join(import.meta.dirname, '../../..')
const mutant = (outcome: ReportedMutant['outcome'], reason?: string): ReportedMutant => ({
  line: 7,
  kind: 'condition',
  original: 'a || b',
  replacement: '(a) && (b)',
  outcome,
  reason,
})
const file = (path: string, ...results: ReportedMutant[]): ReportedFile => ({
  area: 'money',
  path,
  isSample: false,
  day: path === 'a.ts' ? '2026-01-01' : '2026-01-02',
  results,
})

describe('the report', () => {
  const files = [
    file('a.ts', mutant('killed'), mutant('timed out'), mutant('survived', 'It is the same.')),
    file('b.ts', mutant('not covered')),
  ]

  it('counts what does not end as killed, and what no test comes by as survived', () => {
    expect(countOf(files)).toEqual({ mutants: 4, killed: 1, timedOut: 1, survived: 2 })
    expect([scoreOf(countOf(files)), scoreOf(countOf([]))]).toEqual([50, 100])
  })

  it('has a row for each file, each area and all of them, and every survivor with its reason', () => {
    const report = reportOf(files)
    expect(report).toContain('| money | `a.ts` | 3 | 1 | 1 | 1 | 66.7 % | 2026-01-01 |')
    expect(report).toContain('| **money** |  | 4 | 1 | 1 | 2 | 50.0 % | 2026-01-01 to 2026-01-02 |')
    expect(report).toContain('| **all** |  | 4 | 1 | 1 | 2 | 50.0 % | 2026-01-01 to 2026-01-02 |')
    expect(report).toContain('| `a.ts:7` | `a \\|\\| b` | `(a) && (b)` | It is the same. |')
    expect(report).toContain('| `b.ts:7` | `a \\|\\| b` | `(a) && (b)` | not explained |')
  })

  it('has no list of survivors or of untried files where there are none', () => {
    const report = reportOf([file('a.ts', mutant('killed'))])
    expect(report).not.toContain('## Survivors')
    expect(report).not.toContain('## Not tried')
  })

  it('names the files that were not tried', () => {
    const report = reportOf(files, [{ area: 'ledger', path: 'c.ts' }])
    expect(report).toContain('## Not tried')
    expect(report).toContain('- ledger: `c.ts`')
  })
})

describe('the areas', () => {
  it('name files that exist, once', () => {
    const paths = areas.flatMap(({ files }) => files.map(({ path }) => path))
    expect(new Set(paths).size).toBe(paths.length)
    for (const { files } of areas)
      for (const { path, testFiles } of files)
        for (const name of [path, ...testFiles]) expect(readFileSync(join(root, name), 'utf8')).not.toBe('')
  })

  it('have a mutant for every expected survivor, so that no reason outlives its code', () => {
    const files = new Map(areas.flatMap((area) => area.files.map((file) => [file.path, file])))
    for (const survivor of expectedSurvivors) {
      const mutated = files.get(survivor.path)
      const lines = readFileSync(join(root, survivor.path), 'utf8').split('\n')
      const found = (mutated ? allMutants(mutated) : []).filter((one) =>
        isExpected(survivor, survivor.path, { ...one, lineText: lines[one.line - 1] ?? '' }),
      )
      expect([survivor, found.length > 0]).toEqual([survivor, true])
    }
  })
})
