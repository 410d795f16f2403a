import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RegisteredRoute } from '@switchyard/server/http/server.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatText } from '../format-text.ts'
import { endpointsTable } from './endpoints.ts'
import { describeServer } from './describe-server.ts'

const docs = join(import.meta.dirname, '../../../docs')
const page = join(docs, 'endpoints.md')
const linkPattern = /\]\(([^)]+)\)/g

interface Row {
  endpoint: string
  sentence: string
  needs: string
  control: string
  route: string
  operation: string
}

const rowsOf = (table: string): Row[] =>
  table
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , endpoint]) => endpoint?.startsWith('`'))
    .map(([, , endpoint = '', sentence = '', needs = '', control = '', route = '', operation = '']) => {
      return { endpoint: endpoint.replaceAll('`', ''), sentence, needs, control, route, operation }
    })

describe('docs/endpoints.md', () => {
  let routes: RegisteredRoute[]
  let rows: Row[]
  beforeAll(async () => {
    routes = (await describeServer()).routes
    rows = rowsOf(endpointsTable(routes))
  })

  it('is what the generator writes', async () => {
    const table = await formatText(page, endpointsTable(routes))
    expect(readFileSync(page, 'utf8')).toBe(table)
  })

  it('has one row for every registered route', () => {
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.map(({ endpoint }) => endpoint).toSorted()).toEqual(
      routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).toSorted(),
    )
  })

  it('has a sentence in every row, and what a caller needs', () => {
    expect(rows.filter(({ sentence }) => !/^[A-Z].{10,}/.test(sentence))).toEqual([])
    expect(rows.filter(({ needs }) => needs === '')).toEqual([])
  })

  it('names a routes file and an operation file that exist in every row', () => {
    const linksOf = (cell: string): string[] => [...cell.matchAll(linkPattern)].map((match) => match[1] ?? '')
    const cells = rows.flatMap(({ endpoint, route, operation }) => [
      { endpoint, links: linksOf(route) },
      { endpoint, links: linksOf(operation) },
    ])
    const isBroken = (link: string): boolean => !existsSync(join(docs, link))
    expect(cells.filter(({ links }) => links.length === 0 || links.some(isBroken))).toEqual([])
  })

  it.each([
    ['POST /v1/organizations/webhook/kyb', 'kyb/routes.ts', 'kyb/receive-kyb-webhook.ts'],
    ['POST /v1/providers/{provider}/webhooks/{token}', 'provider-webhooks/routes.ts', 'receive-webhook.ts'],
    ['POST /v1/payments/{payment_id}/refund', 'payments/refunds/routes.ts', 'refunds/refund-payment.ts'],
    ['POST /v1/payments/{payment_id}/cancel', 'payments/routes.ts', 'payments/actions/cancel-payment.ts'],
    ['GET /pay/{link_ref}/status', 'checkout/routes.ts', 'checkout/load-visit.ts'],
    ['GET /healthz', 'http/health.ts', 'http/health.ts'],
  ])('names the files of %s', (endpoint, route, operation) => {
    const row = rows.find((candidate) => candidate.endpoint === endpoint)
    expect(row?.route).toContain(`${route})`)
    expect(row?.operation).toContain(`${operation})`)
  })
})

describe('endpointsTable', () => {
  const route: RegisteredRoute = {
    method: 'POST',
    path: '/v1/payments/:payment_id/cancel',
    access: { permission: 'payments:write' },
    control: 'two-approvals',
    spec: '4.1',
    summary: 'Cancel a payment',
  }
  const path = 'server/src/domains/payments/routes.ts'
  const source = (handler: string): { path: string; text: string } => ({
    path,
    text: `
      import { cancelPayment, type PaymentDeps } from './actions/cancel-payment.ts'
      import { getPayment } from './get-payment.ts'
      import { gone } from './gone.ts'
      import { toPaymentRecord } from './record-schema.ts'
      const cancelTwice = async () => { await cancelPayment(deps); await cancelPayment(deps) }
      app.post('/v1/payments/:payment_id/cancel', { schema: { getPayment } }, ${handler})`,
  })
  const rowFor = (handler: string, changes: Partial<RegisteredRoute> = {}): Row | undefined =>
    rowsOf(endpointsTable([{ ...route, ...changes }], [source(handler)]))[0]

  it.each([undefined, '', ' '])('refuses the summary %j', (summary) => {
    expect(() => rowFor('() => cancelPayment(deps)', { summary })).toThrow(
      'POST /v1/payments/:payment_id/cancel has no summary',
    )
  })

  it('refuses an operation whose file does not exist', () => {
    expect(() => rowFor('async () => gone(deps)')).toThrow(
      'calls server/src/domains/payments/gone.ts, which does not exist',
    )
  })

  it('refuses a route whose path is not written out in a routes.ts', () => {
    expect(() => rowFor('() => cancelPayment(deps)', { path: '/v1/elsewhere' })).toThrow(
      'POST /v1/elsewhere is declared in no routes.ts',
    )
  })

  it('names the operation that writes, not the read or the mapper after it', () => {
    const row = rowFor(
      'async () => { await cancelPayment(deps); return toPaymentRecord(await getPayment(deps)) }',
    )
    expect(row?.operation).toBe(
      '[domains/payments/actions/cancel-payment.ts](../server/src/domains/payments/actions/cancel-payment.ts)',
    )
  })

  it('finds the operation behind a function of the same file', () => {
    expect(rowFor('async () => cancelTwice()')?.operation).toContain('cancel-payment.ts')
  })

  it('does not take the name of a property for a call', () => {
    expect(rowFor('async ({ body }) => body.gone')?.operation).toContain('payments/routes.ts')
  })

  it.each([
    ['two-approvals', 'two approvals'],
    ['second-person', 'second person'],
    ['none: it only computes', 'nobody: it only computes'],
    [undefined, ''],
  ] as const)('shows who else agrees: %s', (control, shown) => {
    expect(rowFor('() => cancelPayment(deps)', { control })?.control).toBe(shown)
  })

  it('shows the feature and the kinds of credential that the access requires', () => {
    const access = { permission: 'escrow:write', feature: 'escrow', credentials: ['api_key'] } as const
    expect(rowFor('() => cancelPayment(deps)', { access })?.needs).toBe(
      'escrow:write, feature escrow, api_key only',
    )
  })
})
