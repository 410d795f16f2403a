import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRepository } from './architecture.ts'
import { checkRegexes, regexesToProve } from './architecture/check-regexes.ts'
import { provenRegexes } from './architecture/proven-regexes.ts'

/** A new pattern is proven here, which takes seconds, so this rule is not among those of architecture.test.ts. */
const limitMs = 600_000
const repository = readRepository(join(import.meta.dirname, '../..'))

it(
  'every regular expression that reads text from outside takes linear time',
  () => {
    expect(checkRegexes(repository).join('\n')).toBe('')
  },
  limitMs,
)

it('the list of proven ones has all of them, and no others', () => {
  expect([...provenRegexes].toSorted()).toEqual(regexesToProve(repository).toSorted())
})
