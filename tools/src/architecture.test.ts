import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRepository, rules } from './architecture.ts'

const root = join(import.meta.dirname, '../..')

describe('the repository follows its own rules', () => {
  const repository = readRepository(root)

  it('there are modules to check', () => {
    expect(repository.modules.map((module) => module.path)).toContain('tools/src/architecture.ts')
  })

  it.each(Object.entries(rules))('%s', (_name, rule) => {
    expect(rule(repository).join('\n')).toBe('')
  })
})
