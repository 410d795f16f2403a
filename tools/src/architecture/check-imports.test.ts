import { describe, expect, it } from 'vitest'
import {
  checkArrows,
  checkEdgeLibraries,
  checkFloors,
  checkReexports,
  checkRelativeExtensions,
} from './check-imports.ts'
import { repositoryOf, type Repository } from './repository.ts'

const server = 'server/src'

function importing(from: string, ...specifiers: string[]): Repository {
  const text = specifiers.map((specifier) => `import { thing } from '${specifier}'\n`).join('')
  return repositoryOf([{ path: from, text }])
}

describe('an import against the arrows', () => {
  const refused: [string, string, string][] = [
    [`${server}/lib/money.ts`, '../kernel/db/pool.ts', 'allowed: lib → packages'],
    [`${server}/kernel/db/pool.ts`, '../engine/outbox.ts', 'allowed: kernel/db → lib'],
    [`${server}/kernel/db/pool.ts`, '../ledger/transfer.ts', 'allowed: kernel/db → lib'],
    [`${server}/kernel/engine/relay.ts`, '../ledger/transfer.ts', 'allowed: kernel/engine → kernel/db, lib'],
    [
      `${server}/kernel/engine/relay.ts`,
      '../../domains/payments/advance-payment.ts',
      'allowed: kernel/engine → kernel/db, lib',
    ],
    [`${server}/kernel/ledger/transfer.ts`, '../engine/outbox.ts', 'allowed: kernel/ledger → kernel/db, lib'],
    [`${server}/connectors/kit/client.ts`, '../../kernel/db/pool.ts', 'allowed: connectors/kit → lib'],
    [`${server}/connectors/kit/client.ts`, '../stripe/client.ts', 'allowed: connectors/kit → lib'],
    [`${server}/connectors/stripe/client.ts`, '../adyen/client.ts', 'allowed: connectors/<provider> →'],
    [`${server}/connectors/stripe/client.ts`, '../registry.ts', 'allowed: connectors/<provider> →'],
    [`${server}/connectors/stripe/client.ts`, '../../kernel/db/pool.ts', 'allowed: connectors/<provider> →'],
    [`${server}/connectors/registry.ts`, '../kernel/db/pool.ts', 'allowed: connectors/registry →'],
    [`${server}/domains/payments/rules.ts`, '../pricing/rates/store.ts', 'never its store.ts'],
    [`${server}/domains/payments/routes.ts`, '../pricing/rates/routes.ts', 'never its routes.ts'],
    [`${server}/domains/payments/workflow.ts`, '../pricing/rates/workflow.ts', 'never its workflow.ts'],
    [
      `${server}/domains/payments/rules.ts`,
      '../../connectors/stripe/client.ts',
      'allowed: domains/<group>/<domain> →',
    ],
    [
      `${server}/domains/payments/rules.ts`,
      '../../../../checkout/src/html.ts',
      'only domains/products/checkout shows pages',
    ],
    ['checkout/src/render-page.ts', '../../server/src/lib/money/money.ts', 'allowed: checkout →'],
    ['checkout/src/browser/checkout.ts', '../html.ts', 'allowed: checkout/src/browser →'],
    [`${server}/domains/payments/rules.ts`, '../../main/deps.ts', 'allowed: domains/<group>/<domain> →'],
    [`${server}/domains/payments/init-payment.ts`, '../../http/paging.ts', 'only routes.ts and workflow.ts'],
    [`${server}/domains/payments/init-payment.ts`, './routes.ts', 'operations know nothing of routes.ts'],
    [`${server}/domains/payments/store.ts`, './workflow.ts', 'operations know nothing of workflow.ts'],
    [`${server}/domains/payments/rules.ts`, './rules.test.ts', 'only tests may import tests'],
    [
      `${server}/domains/payments/rules.ts`,
      '../../../test/database.ts',
      'allowed: domains/<group>/<domain> →',
    ],
    [`${server}/http/server.ts`, '../kernel/ledger/audit.ts', 'allowed: http →'],
    [`${server}/http/server.ts`, '../kernel/engine/outbox.ts', 'allowed: http →'],
    [`${server}/http/server.ts`, '../domains/payments/routes.ts', 'allowed: http → kernel/db, lib'],
    [
      `${server}/http/auth.ts`,
      '../domains/people/api-keys/verify-api-key.ts',
      'allowed: http → kernel/db, lib',
    ],
    [`${server}/http/server.ts`, '../main/config.ts', 'allowed: http →'],
    [`${server}/main/api.ts`, '../../test/database.ts', 'allowed: main → anything of server'],
    [`${server}/main/api.ts`, '../../../simulator/src/main.ts', 'allowed: main → anything of server'],
    [`${server}/lib/money.ts`, '@switchyard/stack/dev/ports.ts', 'allowed: lib → packages'],
    [
      'simulator/src/stripe.ts',
      '../../server/src/lib/money/money.ts',
      'allowed: simulator → nothing of server',
    ],
    ['simulator/src/stripe.ts', '@switchyard/server/lib/money.ts', 'allowed: simulator → nothing of server'],
    ['simulator/src/stripe.ts', '@switchyard/stack/dev/ports.ts', 'allowed: simulator → nothing of server'],
    ['stack/src/services/mail.ts', '@switchyard/server/lib/log.ts', 'stack/src/services → nothing of server'],
  ]

  it.each(refused)('%s may not import %s', (from, specifier, reason) => {
    const [line, ...rest] = checkArrows(importing(from, 'node:fs', specifier))
    expect(line).toContain(`${from}:2 imports `)
    expect(line).toContain(reason)
    expect(rest).toEqual([])
  })

  const accepted: [string, string][] = [
    [`${server}/lib/money.ts`, './clock.ts'],
    [`${server}/lib/money.ts`, 'decimal.js'],
    [`${server}/kernel/db/pool.ts`, '../../lib/log.ts'],
    [`${server}/kernel/engine/relay.ts`, '../db/pool.ts'],
    [`${server}/kernel/ledger/transfer.ts`, '../db/pool.ts'],
    [`${server}/connectors/stripe/client.ts`, '../kit/connector.ts'],
    [`${server}/connectors/stripe/client.ts`, './mapping.ts'],
    [`${server}/connectors/registry.ts`, './stripe/connector.ts'],
    [`${server}/domains/payments/init-payment.ts`, './store.ts'],
    [`${server}/domains/payments/init-payment.ts`, '../pricing/rates/find-rate.ts'],
    [`${server}/domains/payments/init-payment.ts`, '../../connectors/registry.ts'],
    [`${server}/domains/payments/init-payment.ts`, '../../kernel/engine/outbox.ts'],
    [`${server}/domains/payments/routes.ts`, '../../http/route.ts'],
    [`${server}/domains/payments/routes.ts`, './workflow.ts'],
    [`${server}/http/server.ts`, '../kernel/db/database.ts'],
    [`${server}/main/routes.ts`, '../domains/payments/routes.ts'],
    [`${server}/main/api.ts`, '../kernel/db/pool.ts'],
    [`${server}/lib/money.test.ts`, '../kernel/db/pool.ts'],
    ['server/test/database.ts', '../src/main/deps.ts'],
    ['stack/src/dev/main.ts', '@switchyard/server/main/api.ts'],
    ['stack/src/dev/main.ts', './ports.ts'],
  ]

  it.each(accepted)('%s may import %s', (from, specifier) => {
    expect(checkArrows(importing(from, specifier))).toEqual([])
  })

  it('type imports, re-exports, dynamic imports and import types count like any other', () => {
    const path = `${server}/lib/money.ts`
    const text = [
      "import type { A } from '../kernel/db/a.ts'",
      "export { b } from '../kernel/db/b.ts'",
      "export const c = await import('../kernel/db/c.ts')",
      "export type D = import('../kernel/db/d.ts').D",
      "export * from '../kernel/db/e.ts'",
    ].join('\n')
    expect(checkArrows(repositoryOf([{ path, text }])).map((line) => line.split(';')[0])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map(
        (name, index) => `${path}:${index + 1} imports ${server}/kernel/db/${name}.ts`,
      ),
    )
  })

  it('a file outside the folders of the tree is refused', () => {
    expect(checkArrows(importing(`${server}/utils/strings.ts`))[0]).toContain('lies in no folder')
    expect(checkArrows(importing(`${server}/connectors/helpers.ts`))[0]).toContain('lies in no folder')
  })
})

describe('the floors of the domains', () => {
  const domains = `${server}/domains`

  it.each([
    [`${domains}/people/members/add-member.ts`, '../../payments/record.ts', 'people is not above payments'],
    [
      `${domains}/payments/refunds/book-refund.ts`,
      '../../products/escrow/record.ts',
      'payments is not above',
    ],
    [
      `${domains}/routing/policies/rules.ts`,
      '../../compliance/kyb/record.ts',
      'routing is not above compliance',
    ],
  ])('%s may not import %s', (from, specifier, reason) => {
    const [line, ...rest] = checkFloors(importing(from, specifier))
    expect(line).toContain(`${from}:1 imports `)
    expect(line).toContain(reason)
    expect(rest).toEqual([])
  })

  it.each([
    [`${domains}/products/escrow/fund-escrow.ts`, '../../payments/record.ts'],
    [`${domains}/products/escrow/fund-escrow.ts`, '../ramps/record.ts'],
    [`${domains}/payments/refunds/book-refund.ts`, '../lifecycle/rules.ts'],
    [`${domains}/people/members/add.test.ts`, '../../payments/record.ts'],
  ])('%s may import %s', (from, specifier) => {
    expect(checkFloors(importing(from, specifier))).toEqual([])
  })

  it('a group without a floor is refused', () => {
    expect(checkFloors(importing(`${domains}/misc/things/do-work.ts`))[0]).toContain('which has no floor')
  })
})

describe('libraries of the edges', () => {
  it.each([
    [`${server}/domains/payments/init-payment.ts`, 'fastify'],
    [`${server}/domains/payments/schema.ts`, 'fastify-type-provider-zod'],
    [`${server}/domains/payments/rules.ts`, '@restatedev/restate-sdk'],
    [`${server}/kernel/ledger/transfer.ts`, '@restatedev/restate-sdk/fetch'],
    [`${server}/connectors/kit/client.ts`, '@fastify/formbody'],
  ])('%s may not import %s', (path, specifier) => {
    expect(checkEdgeLibraries(importing(path, specifier))).toEqual([
      `${path}:1 imports ${specifier}; only http/, kernel/engine/, main/, routes.ts and workflow.ts may`,
    ])
  })

  it.each([
    [`${server}/domains/payments/routes.ts`, 'fastify'],
    [`${server}/domains/payments/workflow.ts`, '@restatedev/restate-sdk'],
    [`${server}/http/server.ts`, 'fastify'],
    [`${server}/kernel/engine/service.ts`, '@restatedev/restate-sdk'],
    [`${server}/main/worker.ts`, '@restatedev/restate-sdk'],
    ['simulator/src/server.ts', 'fastify'],
  ])('%s may import %s', (path, specifier) => {
    expect(checkEdgeLibraries(importing(path, specifier))).toEqual([])
  })
})

describe('the form of imports', () => {
  it('a relative import without .ts is refused', () => {
    expect(
      checkRelativeExtensions(importing('stack/src/dev/main.ts', './ports.js', './ports.ts', 'zod')),
    ).toEqual(['stack/src/dev/main.ts:1 imports ./ports.js; name the file with its .ts extension'])
  })

  it('a re-export is refused', () => {
    const text = "import { a } from './a.ts'\nexport { b } from './b.ts'\nexport const c = a\n"
    expect(checkReexports(repositoryOf([{ path: 'stack/src/dev/main.ts', text }]))).toEqual([
      'stack/src/dev/main.ts:2 re-exports ./b.ts; import it from where it is written',
    ])
  })
})
