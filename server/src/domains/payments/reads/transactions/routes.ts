import type { App } from '../../../../http/app.ts'
import { errors } from '../../../../lib/requests/wire.ts'
import { listTransactions, type TransactionDeps } from './list-transactions.ts'
import * as schema from './schema.ts'

export function transactionRoutes(app: App, deps: TransactionDeps): void {
  app.get(
    '/v1/transactions',
    {
      config: { spec: '4.18', access: { permission: 'payments:read' } },
      schema: {
        tags: ['Transactions'],
        operationId: 'transactions.list',
        summary: 'List and search the payments of the organisation',
        description:
          'Newest first; filters combine, and `status` takes several, separated by commas or repeated. `q` searches ids, references, amounts and the people on both sides of a payment; a new payment is found by its people within some seconds. Phone numbers, e-mail addresses and account numbers are masked.',
        querystring: schema.listTransactionsQuery,
        response: { 200: schema.transactionPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      schema.toTransactionPage(
        await listTransactions(deps, caller, {
          filters: schema.toFilters(query),
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
}
