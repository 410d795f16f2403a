import { describe, expect, it } from 'vitest'
import { checkArrows, checkEdgeLibraries, checkReexports, checkRelativeExtensions } from './check-imports.ts'
import { repositoryOf, type Repository } from './repository.ts'

const server = 'server/src'

function importing(from: string, ...specifiers: string[]): Repository {
  const text = specifiers.map((specifier) => `import { thing } from '${specifier}'\n`).join('')
  return repositoryOf([{ path: from, text }])
}

describe('an import against the arrows', () => {
  const refused: [string, string, string][] = [
    [`${server}/lib/money.ts`, '../db/pool.ts', 'allowed: lib → packages'],
    [`${server}/db/pool.ts`, '../engine/outbox.ts', 'allowed: db → lib'],
    [`${server}/db/pool.ts`, '../ledger/transfer.ts', 'allowed: db → lib'],
    [`${server}/engine/relay.ts`, '../ledger/transfer.ts', 'allowed: engine → db, lib'],
    [`${server}/engine/relay.ts`, '../domains/payments/advance-payment.ts', 'allowed: engine → db, lib'],
    [`${server}/ledger/transfer.ts`, '../engine/outbox.ts', 'allowed: ledger → db, lib'],
    [`${server}/connectors/kit/client.ts`, '../../db/pool.ts', 'allowed: connectors/kit → lib'],
    [`${server}/connectors/kit/client.ts`, '../stripe/client.ts', 'allowed: connectors/kit → lib'],
    [`${server}/connectors/stripe/client.ts`, '../adyen/client.ts', 'allowed: connectors/<provider> →'],
    [`${server}/connectors/stripe/client.ts`, '../registry.ts', 'allowed: connectors/<provider> →'],
    [`${server}/connectors/stripe/client.ts`, '../../db/pool.ts', 'allowed: connectors/<provider> →'],
    [`${server}/connectors/registry.ts`, '../db/pool.ts', 'allowed: connectors/registry →'],
    [`${server}/domains/payments/rules.ts`, '../rates/store.ts', 'never its store.ts'],
    [`${server}/domains/payments/routes.ts`, '../rates/routes.ts', 'never its routes.ts'],
    [`${server}/domains/payments/workflow.ts`, '../rates/workflow.ts', 'never its workflow.ts'],
    [
      `${server}/domains/payments/rules.ts`,
      '../../connectors/stripe/client.ts',
      'allowed: domains/<domain> →',
    ],
    [
      `${server}/domains/payments/rules.ts`,
      '../../../../checkout/src/html.ts',
      'only domains/products/checkout shows pages',
    ],
    ['checkout/src/render-page.ts', '../../server/src/lib/money/money.ts', 'allowed: checkout →'],
    ['checkout/src/browser/checkout.ts', '../html.ts', 'allowed: checkout/src/browser →'],
    [`${server}/domains/payments/rules.ts`, '../../main/deps.ts', 'allowed: domains/<domain> →'],
    [`${server}/domains/payments/init-payment.ts`, '../../http/paging.ts', 'only routes.ts and workflow.ts'],
    [`${server}/domains/payments/init-payment.ts`, './routes.ts', 'operations know nothing of routes.ts'],
    [`${server}/domains/payments/store.ts`, './workflow.ts', 'operations know nothing of workflow.ts'],
    [`${server}/domains/payments/rules.ts`, './rules.test.ts', 'only tests may import tests'],
    [`${server}/domains/payments/rules.ts`, '../../testing/database.ts', 'allowed: domains/<domain> →'],
    [`${server}/http/server.ts`, '../ledger/audit.ts', 'allowed: http →'],
    [`${server}/http/server.ts`, '../engine/outbox.ts', 'allowed: http →'],
    [`${server}/http/server.ts`, '../domains/payments/routes.ts', 'allowed: http → db, lib'],
    [`${server}/http/auth.ts`, '../domains/api-keys/verify-api-key.ts', 'allowed: http → db, lib'],
    [`${server}/http/server.ts`, '../main/config.ts', 'allowed: http →'],
    [`${server}/main/api.ts`, '../testing/database.ts', 'allowed: main → anything of server'],
    [`${server}/main/api.ts`, '../../../simulator/src/main.ts', 'allowed: main → anything of server'],
    [`${server}/lib/money.ts`, '@switchyard/dev/ports.ts', 'allowed: lib → packages'],
    ['simulator/src/stripe.ts', '../../server/src/lib/money/money.ts', 'allowed: simulator → nothing of server'],
    ['simulator/src/stripe.ts', '@switchyard/server/lib/money.ts', 'allowed: simulator → nothing of server'],
    ['simulator/src/stripe.ts', '../../stack/src/dev/ports.ts', 'allowed: simulator → nothing of server'],
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
    [`${server}/db/pool.ts`, '../lib/log.ts'],
    [`${server}/engine/relay.ts`, '../db/pool.ts'],
    [`${server}/ledger/transfer.ts`, '../db/pool.ts'],
    [`${server}/connectors/stripe/client.ts`, '../kit/connector.ts'],
    [`${server}/connectors/stripe/client.ts`, './mapping.ts'],
    [`${server}/connectors/registry.ts`, './stripe/connector.ts'],
    [`${server}/domains/payments/init-payment.ts`, './store.ts'],
    [`${server}/domains/payments/init-payment.ts`, '../rates/find-rate.ts'],
    [`${server}/domains/payments/init-payment.ts`, '../../connectors/registry.ts'],
    [`${server}/domains/payments/init-payment.ts`, '../../engine/outbox.ts'],
    [`${server}/domains/payments/routes.ts`, '../../http/route.ts'],
    [`${server}/domains/payments/routes.ts`, './workflow.ts'],
    [`${server}/http/server.ts`, '../db/database.ts'],
    [`${server}/main/routes.ts`, '../domains/payments/routes.ts'],
    [`${server}/main/api.ts`, '../db/pool.ts'],
    [`${server}/lib/money.test.ts`, '../db/pool.ts'],
    [`${server}/testing/database.ts`, '../main/deps.ts'],
    ['stack/src/dev/main.ts', '../../server/src/main/api.ts'],
    ['dev/src/services/mail.ts', '../ports.ts'],
  ]

  it.each(accepted)('%s may import %s', (from, specifier) => {
    expect(checkArrows(importing(from, specifier))).toEqual([])
  })

  it('type imports, re-exports, dynamic imports and import types count like any other', () => {
    const path = `${server}/lib/money.ts`
    const text = [
      "import type { A } from '../db/a.ts'",
      "export { b } from '../db/b.ts'",
      "export const c = await import('../db/c.ts')",
      "export type D = import('../db/d.ts').D",
      "export * from '../db/e.ts'",
    ].join('\n')
    expect(checkArrows(repositoryOf([{ path, text }])).map((line) => line.split(';')[0])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name, index) => `${path}:${index + 1} imports ${server}/db/${name}.ts`),
    )
  })

  it('a file outside the folders of the tree is refused', () => {
    expect(checkArrows(importing(`${server}/utils/strings.ts`))[0]).toContain('lies in no folder')
    expect(checkArrows(importing(`${server}/connectors/helpers.ts`))[0]).toContain('lies in no folder')
  })
})

describe('libraries of the edges', () => {
  it.each([
    [`${server}/domains/payments/init-payment.ts`, 'fastify'],
    [`${server}/domains/payments/schema.ts`, 'fastify-type-provider-zod'],
    [`${server}/domains/payments/rules.ts`, '@restatedev/restate-sdk'],
    [`${server}/ledger/transfer.ts`, '@restatedev/restate-sdk/fetch'],
    [`${server}/connectors/kit/client.ts`, '@fastify/formbody'],
  ])('%s may not import %s', (path, specifier) => {
    expect(checkEdgeLibraries(importing(path, specifier))).toEqual([
      `${path}:1 imports ${specifier}; only http/, engine/, main/, routes.ts and workflow.ts may`,
    ])
  })

  it.each([
    [`${server}/domains/payments/routes.ts`, 'fastify'],
    [`${server}/domains/payments/workflow.ts`, '@restatedev/restate-sdk'],
    [`${server}/http/server.ts`, 'fastify'],
    [`${server}/engine/service.ts`, '@restatedev/restate-sdk'],
    [`${server}/main/worker.ts`, '@restatedev/restate-sdk'],
    ['simulator/src/server.ts', 'fastify'],
  ])('%s may import %s', (path, specifier) => {
    expect(checkEdgeLibraries(importing(path, specifier))).toEqual([])
  })
})

describe('the form of imports', () => {
  it('a relative import without .ts is refused', () => {
    expect(checkRelativeExtensions(importing('stack/src/dev/main.ts', './ports.js', './ports.ts', 'zod'))).toEqual([
      'stack/src/dev/main.ts:1 imports ./ports.js; name the file with its .ts extension',
    ])
  })

  it('a re-export is refused', () => {
    const text = "import { a } from './a.ts'\nexport { b } from './b.ts'\nexport const c = a\n"
    expect(checkReexports(repositoryOf([{ path: 'stack/src/dev/main.ts', text }]))).toEqual([
      'stack/src/dev/main.ts:2 re-exports ./b.ts; import it from where it is written',
    ])
  })
})
