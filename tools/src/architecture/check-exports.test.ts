import { describe, expect, it } from 'vitest'
import { checkUnusedExports, unusedExports } from './check-exports.ts'
import { repositoryOf } from './repository.ts'

const path = 'server/src/lib/money.ts'
const other = 'server/src/kernel/db/rows.ts'
const problems = (text: string, importer = '') =>
  checkUnusedExports(
    repositoryOf([
      { path, text },
      { path: other, text: importer },
    ]),
  )

describe('an export that nobody imports', () => {
  it.each([
    'export const scale = 2',
    'export function scale() {}',
    'export type scale = string',
    'export interface scale {}',
    'export class scale {}',
    'const scale = 2\nexport { scale }',
    'export const { scale } = settings()',
  ])('%s is refused', (text) => {
    const [line, ...rest] = problems(text, "import { other } from '../../lib/money.ts'")
    expect(line).toContain('exports scale, which nobody imports')
    expect(rest).toEqual([])
  })

  it('is to be deleted if its own file does not use it either, and else loses its keyword', () => {
    expect(problems('export const scale = 2')).toEqual([
      `${path}:1 exports scale, which nobody imports; delete it`,
    ])
    const text = 'export const scale = 2\nlog(scale)'
    expect(problems(text)).toEqual([
      `${path}:1 exports scale, which nobody imports; remove the export keyword`,
    ])
    expect(unusedExports(repositoryOf([{ path, text }]))).toMatchObject([{ start: 0, isUsedInFile: true }])
  })
})

describe('an export that somebody imports', () => {
  it.each([
    "import { scale } from '../../lib/money.ts'",
    "import { scale as digits } from '../../lib/money.ts'",
    "import type { scale } from '../../lib/money.ts'",
    "import { scale } from '@switchyard/server/lib/money.ts'",
    "import * as money from '../../lib/money.ts'",
    "const money = await import('../../lib/money.ts')",
    "type Scale = import('../../lib/money.ts').scale",
  ])('%s', (importer) => {
    expect(problems('export const scale = 2', importer)).toEqual([])
  })

  it('what receivers of webhooks import from the SDK counts as imported', () => {
    const file = { path: 'sdk/src/verify-webhook.ts', text: 'export const verify = 1' }
    expect(checkUnusedExports(repositoryOf([file]))).toEqual([])
  })
})

it('an import in the template of a new connector counts', () => {
  const harness = { path: 'server/src/connectors/testing/harness.ts', text: 'export type Refusal = string' }
  const text = "import type { Refusal } from '../testing/harness.ts'\nexport const {{name}} = 1"
  const template = { path: 'tools/src/new-connector/contract.test.ts.txt', text }
  expect(checkUnusedExports(repositoryOf([harness]))).toHaveLength(1)
  expect(checkUnusedExports(repositoryOf([harness, template]))).toEqual([])
})
