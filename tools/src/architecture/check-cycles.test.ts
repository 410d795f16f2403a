import { describe, expect, it } from 'vitest'
import { checkDomainCycles, checkImportCycles } from './check-cycles.ts'
import { repositoryOf } from './repository.ts'

const server = 'server/src'
const importing = (path: string, ...specifiers: string[]) => ({
  path,
  text: specifiers.map((specifier) => `import type { Thing } from '${specifier}'\n`).join(''),
})

describe('cycles between files', () => {
  it('two files that import each other are refused once, even if both import types only', () => {
    const files = [
      importing(`${server}/kernel/db/database.ts`, './pipeline.ts'),
      importing(`${server}/kernel/db/pipeline.ts`, './database.ts'),
    ]
    expect(checkImportCycles(repositoryOf(files))).toEqual([
      `${server}/kernel/db/database.ts → ${server}/kernel/db/pipeline.ts → ${server}/kernel/db/database.ts is an import cycle; move what both sides need into a file of its own`,
    ])
  })

  it('a cycle across packages is refused', () => {
    const files = [
      importing('stack/src/seed.ts', '@switchyard/server/main/deps.ts'),
      importing(`${server}/main/deps.ts`, './config.ts'),
      importing(`${server}/main/config.ts`, '@switchyard/stack/seed.ts'),
    ]
    const [line, ...rest] = checkImportCycles(repositoryOf(files))
    expect(line).toContain(
      `stack/src/seed.ts → ${server}/main/deps.ts → ${server}/main/config.ts → stack/src/seed.ts`,
    )
    expect(rest).toEqual([])
  })

  it('a third file that both import is accepted, and tests do not count', () => {
    const files = [
      importing(`${server}/kernel/db/database.ts`, './row.ts', './pipeline.ts'),
      importing(`${server}/kernel/db/pipeline.ts`, './row.ts'),
      importing(`${server}/kernel/db/row.ts`),
      importing('server/test/database.ts', './organization.ts'),
      importing('server/test/organization.ts', './database.ts'),
    ]
    expect(checkImportCycles(repositoryOf(files))).toEqual([])
  })
})

describe('cycles between domains', () => {
  const edge = (from: string, to: string): { path: string; text: string } => ({
    path: `${server}/domains/products/${from}/do-work.ts`,
    text: `import { work } from '../${to}/do-work.ts'\n`,
  })

  it('a cycle of three is one line that names every import in it', () => {
    const repository = repositoryOf([
      edge('escrow', 'ramps'),
      edge('ramps', 'checkout'),
      edge('checkout', 'escrow'),
    ])
    expect(checkDomainCycles(repository)).toEqual([
      [
        `${server}/domains/products/escrow/do-work.ts:1, ${server}/domains/products/ramps/do-work.ts:1, ${server}/domains/products/checkout/do-work.ts:1`,
        ' make the cycle products/escrow → products/ramps → products/checkout → products/escrow; domains may import each other one way only',
      ].join(''),
    ])
  })

  it('imports in one direction are no cycle, and tests do not count', () => {
    const back = { ...edge('checkout', 'ramps'), path: `${server}/domains/products/checkout/rules.test.ts` }
    expect(
      checkDomainCycles(repositoryOf([edge('escrow', 'checkout'), edge('ramps', 'checkout'), back])),
    ).toEqual([])
  })
})
