import type { Database } from '../../db/database.ts'
import type { App } from '../../http/app.ts'
import { errors } from '../../lib/wire.ts'
import { listBalances } from './list-balances.ts'
import { listCreditLimits } from './list-credit-limits.ts'
import {
  balancesResponse,
  creditLimitsBody,
  creditLimitsResponse,
  fromCreditLimits,
  orgParams,
  toBalances,
  toCreditLimits,
} from './schema.ts'
import { setCreditLimits } from './set-credit-limits.ts'

export function balanceRoutes(app: App, deps: { db: Database }): void {
  const tags = ['Balances']
  app.get(
    '/v1/organizations/:org_id/balances',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'balances.list',
        summary: 'List what is available, held and in transit, by currency and custody',
        params: orgParams,
        response: { 200: balancesResponse, ...errors() },
      },
    },
    async ({ caller, params }) => toBalances(await listBalances(deps, caller, { orgId: params.org_id })),
  )
  app.get(
    '/v1/organizations/:org_id/credit-limits',
    {
      config: { access: { permission: 'platform:read' } },
      schema: {
        tags,
        operationId: 'creditLimits.list',
        summary: 'List how far below zero each pooled balance of an organisation may go',
        params: orgParams,
        response: { 200: creditLimitsResponse, ...errors() },
      },
    },
    async ({ caller, params }) =>
      toCreditLimits(await listCreditLimits(deps, caller, { orgId: params.org_id })),
  )
  app.put(
    '/v1/organizations/:org_id/credit-limits',
    {
      config: { access: { permission: 'platform:write' } },
      schema: {
        tags,
        operationId: 'creditLimits.set',
        summary: 'Set how far below zero each pooled balance of an organisation may go',
        params: orgParams,
        body: creditLimitsBody,
        response: { 200: creditLimitsResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      toCreditLimits(
        await setCreditLimits(deps, caller, { orgId: params.org_id, limits: fromCreditLimits(body) }),
      ),
  )
}
