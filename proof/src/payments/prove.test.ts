import { expect, test } from 'vitest'
import { assertPlantable } from './prove.ts'
import { bugs } from './plant/bugs.ts'

test('every planted bug still finds the text that it replaces', async () => {
  await assertPlantable()
  expect(bugs.length).toBeGreaterThanOrEqual(12)
})

test.each(bugs.map((bug) => [bug.name, bug] as const))('%s: says what must catch it', (_name, bug) => {
  expect(bug.expects.length).toBeGreaterThan(0)
  expect((bug.edits?.length ?? 0) > 0 || bug.sql !== undefined).toBe(true)
})
