import type { App } from '../../http/app.ts'
import { errors } from '../../lib/wire.ts'
import { reconcileNow } from './reconcile-now.ts'
import type { ReconciliationDeps } from './record.ts'
import { reconcileBody, reconciliationResponse, toReconciliation } from './schema.ts'

export function reconciliationRoutes(app: App, deps: ReconciliationDeps): void {
  app.post(
    '/v1/payments/reconciliation',
    {
      config: { access: { permission: 'exceptions:write' } },
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
        await reconcileNow(deps, caller, {
          provider: body.provider,
          accountId: body.account_id,
          since: new Date(body.since),
        }),
      ),
  )
}
