import { expect, test } from 'vitest'
import { assertPlantable } from './prove.ts'
import { bugs } from './plant/bugs.ts'
import { attacks } from './attacks/thieves.ts'

test('every planted bug still finds the text that it replaces', async () => {
  await assertPlantable()
  expect(bugs.length).toBeGreaterThanOrEqual(6)
})

test.each(bugs.map((bug) => [bug.name, bug] as const))(
  '%s: an attack shows it',
  (_name, { edits, expects }) => {
    expect(edits.length).toBeGreaterThan(0)
    expect(attacks.some(({ caughtBy }) => expects.includes(caughtBy))).toBe(true)
  },
)
