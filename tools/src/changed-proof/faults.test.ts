import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRepository } from '../architecture.ts'
import { filesLimit, selectTests } from '../select-tests.ts'
import { faults } from './faults.ts'

const root = join(import.meta.dirname, '../../..')

describe('the planted faults', () => {
  const repository = readRepository(root)

  it('are twenty, in twenty files', () => {
    expect(new Set(faults.map(({ path }) => path)).size).toBe(20)
  })

  it.each(faults)('$effect: the line is still there, and its change selects tests', ({ path, original }) => {
    expect(readFileSync(join(root, path), 'utf8').split(original)).toHaveLength(2)
    const { selected } = selectTests(repository, [path])
    expect(selected.length).toBeGreaterThan(0)
    expect(selected.length).toBeLessThanOrEqual(filesLimit)
  })
})
