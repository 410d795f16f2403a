import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRepository } from './architecture.ts'
import { repositoryOf } from './architecture/repository.ts'
import { screenTests } from './screen-tests.ts'
import { selectTests } from './select-tests.ts'

const root = join(import.meta.dirname, '../..')
const importing = (path: string, ...specifiers: string[]) => ({
  path,
  text: specifiers.map((specifier) => `import '${specifier}'\n`).join(''),
})
const escrow = 'server/src/domains/products/escrow'

describe('the tests of a change', () => {
  it('are those beside it, those that import it and those of its domain, nearest first', () => {
    const repository = repositoryOf([
      importing(`${escrow}/fund-escrow.ts`, './rules.ts'),
      importing(`${escrow}/fund-escrow.test.ts`, './fund-escrow.ts'),
      importing(`${escrow}/rules.ts`),
      importing(`${escrow}/rules.test.ts`, './rules.ts'),
      importing(`${escrow}/milestones/routes.test.ts`),
      importing('server/src/domains/after/disputes/open.test.ts', '../../products/escrow/fund-escrow.ts'),
      importing('server/src/lib/ids.test.ts'),
    ])
    expect(selectTests(repository, [`${escrow}/rules.ts`])).toEqual({
      selected: [
        `${escrow}/rules.test.ts`,
        `${escrow}/fund-escrow.test.ts`,
        'server/src/domains/after/disputes/open.test.ts',
        `${escrow}/milestones/routes.test.ts`,
      ],
      left: 0,
    })
  })

  it('are not found through a file that puts the whole program together', () => {
    const repository = repositoryOf([
      importing(`${escrow}/rules.ts`),
      importing('server/src/main/routes.ts', '../domains/products/escrow/rules.ts'),
      importing('server/test/app/test-app.ts', '../../src/main/routes.ts'),
      importing('server/src/domains/after/disputes/open.test.ts', '../../../../test/app/test-app.ts'),
    ])
    expect(selectTests(repository, [`${escrow}/rules.ts`]).selected).toEqual([])
    expect(selectTests(repository, ['server/test/app/test-app.ts']).selected).toHaveLength(1)
  })

  it('are bounded, and the rest is counted', () => {
    const many = Array.from({ length: 40 }, (_, at) => importing(`server/src/lib/t${at}.test.ts`, './ids.ts'))
    const { selected, left } = selectTests(repositoryOf([importing('server/src/lib/ids.ts'), ...many]), [
      'server/src/lib/ids.ts',
    ])
    expect([selected.length, left]).toEqual([30, 10])
  })
})

describe('in this repository', () => {
  const repository = readRepository(root)

  it.each([
    [`${escrow}/fund-escrow.ts`, `${escrow}/routes.test.ts`],
    ['server/src/domains/pricing/fees/rules.ts', 'server/src/domains/pricing/fees/rules.test.ts'],
    ['simulator/src/protocols/stripe/protocol.ts', 'server/src/connectors/stripe/contract.test.ts'],
    ['dashboard/src/screens/payment/screen.tsx', 'server/test/browser/payments.test.ts'],
  ])('a line of %s selects %s, and few others', (changed, expected) => {
    const { selected } = selectTests(repository, [changed])
    expect(selected).toContain(expected)
    expect(selected.length).toBeLessThanOrEqual(30)
  })

  it('every screen of the dashboard has its browser test', () => {
    const screens = readdirSync(join(root, 'dashboard/src/screens'))
    expect(Object.keys(screenTests)).toEqual(screens)
    const browserTests = readdirSync(join(root, 'server/test/browser'))
    expect(Object.values(screenTests).filter((name) => !browserTests.includes(`${name}.test.ts`))).toEqual([])
  })
})
