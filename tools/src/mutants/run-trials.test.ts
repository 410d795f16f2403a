import { beforeAll, describe, expect, it } from 'vitest'
import { allMutants, tryMutants, type MutantResult, type MutatedFile } from './run-trials.ts'

const folder = 'tools/src/mutants/testing'
const limitMs = 60_000

const sample: MutatedFile = {
  path: `${folder}/sample.ts`,
  testFiles: [`${folder}/sample-checks.ts`],
  needsDatabase: false,
  mutates: 'code',
}

describe.each([
  ['run anew for each mutant', false],
  ['repeated under each mutant', true],
])('in tests that are %s', (_name, isRepeated) => {
  let results: MutantResult[]
  beforeAll(async () => {
    results = (await tryMutants([{ file: sample, mutants: allMutants(sample) }], isRepeated)).flat()
  }, limitMs)

  const outcomeOf = (original: string, replacement: string): string | undefined =>
    results.find((result) => result.original === original && result.replacement === replacement)?.outcome

  it('a mutant that a test notices is killed, by that test', () => {
    expect(outcomeOf('amount > 100', '(amount) <= (100)')).toBe('killed')
    expect(outcomeOf('amount - 10', '(amount) + (10)')).toBe('killed')
    expect(outcomeOf('amount > 100 && isMember', '(amount > 100) || (isMember)')).toBe('killed')
    expect(results.find(({ original }) => original === 'amount - 10')?.killedBy).toContain(
      'gives members a discount',
    )
  })

  it('a mutant that no test notices survives', () => {
    expect(outcomeOf('amount > 100', '(amount) >= (100)')).toBe('survived')
    expect(outcomeOf('100', '101')).toBe('survived')
  })

  it('a mutant that no test comes by is not covered', () => {
    expect(outcomeOf('true', 'false')).toBe('not covered')
  })

  it('a mutant that does not end is stopped', () => {
    expect(outcomeOf('left -= 1', 'left += (1)')).toBe('timed out')
    expect(outcomeOf('left > 0', 'false')).toBe('killed')
  })

  it('no other mutant of the sample survives', () => {
    const counts = Map.groupBy(results, ({ outcome }) => outcome)
    expect([counts.get('survived')?.length, counts.get('not covered')?.length]).toEqual([2, 1])
  })
})

it(
  'tests that fail without a mutant are no measure',
  async () => {
    const broken = { ...sample, testFiles: [`${folder}/missing.ts`] }
    await expect(tryMutants([{ file: broken, mutants: allMutants(broken) }])).rejects.toThrow(
      'fail without a mutant',
    )
  },
  limitMs,
)
