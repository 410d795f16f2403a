import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/wire.ts'
import { listTransactions, type TransactionDeps } from '../list-transactions.ts'
import { listTransactionsQuery, toFilters, toTransactionPage, transactionPage } from './schema.ts'

export function transactionRoutes(app: App, deps: TransactionDeps): void {
  app.get(
    '/v1/transactions',
    {
      config: { spec: '4.18', access: { permission: 'payments:read' } },
      schema: {
        tags: ['Transactions'],
        summary: 'List the payments of the organisation, with filters',
        querystring: listTransactionsQuery,
        response: { 200: transactionPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toTransactionPage(
        await listTransactions(deps, caller, {
          filters: toFilters(query),
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
