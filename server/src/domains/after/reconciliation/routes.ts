import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listRuns } from './list-runs.ts'
import { reconcileNow } from './reconcile-now.ts'
import type { ReconciliationDeps } from './record.ts'
import {
  listRunsQuery,
  reconcileBody,
  reconciliationResponse,
  runPage,
  toReconciliation,
  toRunPage,
} from './schema.ts'

export function reconciliationRoutes(app: App, deps: ReconciliationDeps & { cursorKey: KeyRing }): void {
  app.post(
    '/v1/payments/reconciliation',
    {
      config: {
        access: { permission: 'exceptions:write' },
        control: 'none: it only compares with the lists of the provider',
      },
      schema: {
        tags: ['Exceptions'],
        operationId: 'reconciliation.run',
        description:
          "Compares with the provider's list of transactions since a time; a nightly run does the same. Differences become exceptions, and nothing that was paid is sent again.",
        summary: 'Reconcile the transactions of a provider with our records',
        body: reconcileBody,
        response: { 200: reconciliationResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, body }) =>
      toReconciliation(
        caller,
        await reconcileNow(deps, caller, {
          provider: body.provider,
          accountId: body.account_id,
          since: new Date(body.since),
        }),
      ),
  )
  app.get(
    '/v1/reconciliation/runs',
    {
      config: { access: { permission: 'exceptions:read' } },
      schema: {
        tags: ['Exceptions'],
        operationId: 'reconciliation.listRuns',
        summary: 'List the past comparisons with the lists of providers',
        description:
          'Every account that was used is compared each night, and whenever somebody asks for it. findings counts the differences that were raised as exceptions. The operator also sees the accounts of the installation.',
        querystring: listRunsQuery,
        response: { 200: runPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toRunPage(
        await listRuns(deps, caller, {
          filters: { provider: query.provider, status: query.status },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
