import type { App } from '../../../../http/app.ts'
import { beginOnce } from '../../../../http/idempotency/begin-once.ts'
import { csvType } from '../../../../lib/text/csv.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { exportStatement } from './export-statement.ts'
import { getStatement, getTransaction, listTransactions } from './reads.ts'
import type { PayOutDeps } from './pay-out.ts'
import type { TransactionDeps } from './record.ts'
import * as schema from './schema.ts'
import { toStatement, toTransaction, toTransactionPage } from './schema.ts'
import { transferMoney } from './transfer-money.ts'
import { withdrawMoney } from './withdraw-money.ts'

export function virtualTransactionRoutes(app: App, deps: TransactionDeps & PayOutDeps): void {
  movingEndpoints(app, deps)
  readingEndpoints(app, deps)
}

const tags = ['Virtual accounts']

function movingEndpoints(app: App, deps: PayOutDeps): void {
  app.post(
    '/v1/virtual-accounts/:account_id/transfer',
    {
      config: {
        spec: '4.12',
        access: { permission: 'virtual-accounts:write' },
        control: 'none: the money moves from one balance of the organisation to another',
      },
      schema: {
        tags,
        operationId: 'virtualAccounts.transfer',
        description:
          'Both accounts are booked in one transaction, without a provider. 422 if the available balance is too low, 409 if an account is not active.',
        summary: 'Transfer money immediately to another virtual account of the organisation',
        params: schema.accountParams,
        body: schema.transferBody,
        response: { 201: schema.transactionResponse, ...errors(404, 409, 422) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const debit = await transferMoney(deps, caller, {
        accountId: params.account_id,
        toAccountId: body.to_account_id,
        amount: body.amount,
        description: body.description ?? null,
        reference: body.reference ?? null,
      })
      return reply.status(201).send(ok('Transferred.', toTransaction(debit)))
    },
  )
  app.post(
    '/v1/virtual-accounts/:account_id/withdraw',
    {
      config: {
        spec: '4.12',
        access: { permission: 'virtual-accounts:write' },
        control: 'two-approvals',
        bindsKey: true,
      },
      schema: {
        tags,
        operationId: 'virtualAccounts.withdraw',
        description:
          'A payout with the same id: the amount is held at once, booked when the payout completes, and released if it fails. Approval policies apply as to any payout.',
        summary: 'Withdraw money to a beneficiary; the amount is held until the payout completes',
        params: schema.accountParams,
        body: schema.withdrawBody,
        response: { 201: schema.transactionResponse, ...errors(404, 409, 422, 502) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const withdrawal = await beginOnce(request, reply, {
        begin: (claim) =>
          withdrawMoney(deps, caller, {
            accountId: params.account_id,
            beneficiaryId: body.beneficiary_id,
            amount: body.amount,
            description: body.description ?? null,
            reference: body.reference ?? null,
            metadata: body.metadata ?? null,
            claim,
          }),
        load: (transactionId) => getTransaction(deps, caller, { transactionId, userId: undefined }),
      })
      return reply.status(201).send(ok('The withdrawal has started.', toTransaction(withdrawal)))
    },
  )
}

function readingEndpoints(app: App, deps: TransactionDeps): void {
  app.get(
    '/v1/virtual-accounts/transactions/:transaction_id',
    {
      config: { spec: '4.13', access: { permission: 'virtual-accounts:read' } },
      schema: {
        tags,
        operationId: 'virtualTransactions.get',
        description: 'A withdrawal has the id of its payout, so the payment record shows the details.',
        summary: 'Get a virtual transaction',
        params: schema.transactionParams,
        querystring: schema.transactionQuery,
        response: { 200: schema.transactionResponse, ...errors(404) },
      },
    },
    async ({ caller, params, query }) => {
      const found = await getTransaction(deps, caller, {
        transactionId: params.transaction_id,
        userId: query.user_id,
      })
      return ok('Virtual transaction.', toTransaction(found))
    },
  )
  app.get(
    '/v1/virtual-accounts/:account_id/transactions',
    {
      config: { spec: '4.12', access: { permission: 'virtual-accounts:read' } },
      schema: {
        tags,
        operationId: 'virtualAccounts.listTransactions',
        description: 'Newest first, including withdrawals in progress, which the statement does not show.',
        summary: 'List all transactions of a virtual account, including pending ones',
        params: schema.accountParams,
        querystring: schema.listTransactionsQuery,
        response: { 200: schema.transactionPage, ...errors(404) },
      },
    },
    async ({ caller, params, query }) =>
      toTransactionPage(
        await listTransactions(deps, caller, {
          filters: { accountId: params.account_id, type: query.type, status: query.status },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/virtual-accounts/:account_id/statement',
    {
      config: { spec: '4.12', access: { permission: 'virtual-accounts:read' } },
      schema: {
        tags,
        operationId: 'virtualAccounts.statement',
        description:
          'Booked entries only, oldest first, each with the balance after it. `from` is inclusive and `to` exclusive.',
        summary: 'Get the statement of a virtual account for a period, with the running balance',
        params: schema.accountParams,
        querystring: schema.statementQuery,
        response: { 200: schema.statementResponse, ...errors(404) },
      },
    },
    async ({ caller, params, query }) =>
      toStatement(
        await getStatement(deps, caller, {
          period: { accountId: params.account_id, from: query.from, to: query.to },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/virtual-accounts/:account_id/statement.csv',
    {
      config: { spec: '4.12', access: { permission: 'virtual-accounts:read' } },
      schema: {
        tags,
        operationId: 'virtualAccounts.downloadStatement',
        description: 'Streams the whole period, with the same columns as the entries of the statement.',
        summary: 'Download the statement of a virtual account as CSV',
        params: schema.accountParams,
        querystring: schema.periodQuery,
        response: { 200: schema.csv, ...errors(404) },
      },
    },
    async ({ caller, params, query }, reply) => {
      const lines = await exportStatement(deps, caller, {
        accountId: params.account_id,
        from: query.from,
        to: query.to,
      })
      return reply
        .type(csvType)
        .header('content-disposition', `attachment; filename="statement-${params.account_id}.csv"`)
        .send(lines)
    },
  )
}
