import type { Database } from '../../../kernel/db/database.ts'
import type { App } from '../../../http/app.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listTransfers } from './list-transfers.ts'
import { listTransfersQuery, toFilters, toTransferPage, transferPage } from './schema.ts'

export function ledgerTransferRoutes(app: App, deps: { db: Database; cursorKey: KeyRing }): void {
  app.get(
    '/v1/ledger/transfers',
    {
      config: { access: { permission: 'ledger:read' } },
      schema: {
        operationId: 'ledgerTransfers.list',
        tags: ['Ledger'],
        summary: 'List the movements of money in the ledger',
        description:
          'Every transfer debits one account and credits another; it is never changed. payment_id finds everything that a payment caused, its refunds and disputes included. custody finds what changes that spendable balance.',
        querystring: listTransfersQuery,
        response: { 200: transferPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toTransferPage(
        await listTransfers(deps, caller, {
          orgId: query.org_id,
          filters: toFilters(query),
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
