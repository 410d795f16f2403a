import type { Database } from '../../../kernel/db/database.ts'
import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import type { ChangeControl } from '../../people/change-requests/record.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { listBalances, listCreditLimits } from './reads.ts'
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

export function balanceRoutes(app: App, deps: { db: Database; changeControl: ChangeControl }): void {
  const tags = ['Balances']
  app.get(
    '/v1/organizations/:org_id/balances',
    {
      config: { access: { permission: 'payments:read' } },
      schema: {
        tags,
        operationId: 'balances.list',
        description:
          '`pooled` money lies in the accounts of the installation and `own` money in your accounts at a provider. `available` can be spent now; with `held` and `in_transit` it adds up to the balance in the books.',
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
        description: 'A currency without an entry has a limit of zero.',
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
      config: { access: { permission: 'platform:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'creditLimits.set',
        description:
          'Replaces all limits; only the operator can. A higher limit answers 202 with a change request if there is a second operator, who has to agree. A lower limit does not touch payments that were already accepted.',
        summary: 'Set how far below zero each pooled balance of an organisation may go',
        params: orgParams,
        body: creditLimitsBody,
        response: { 200: creditLimitsResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const limits = fromCreditLimits(body)
      const set = await setCreditLimits(deps, caller, { orgId: params.org_id, limits })
      return set.held ? reply.status(202).send(toHeld(set.held)) : reply.send(toCreditLimits(set.done))
    },
  )
}
