import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRepository } from './architecture.ts'
import { checkRegexes } from './architecture/check-regexes.ts'

/** The proofs take seconds, so this rule is not among those of architecture.test.ts. */
const limitMs = 600_000

it(
  'every regular expression that reads text from outside takes linear time',
  () => {
    expect(checkRegexes(readRepository(join(import.meta.dirname, '../..'))).join('\n')).toBe('')
  },
  limitMs,
)
