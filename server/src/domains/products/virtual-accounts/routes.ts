import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { setFrozen } from './freeze-account.ts'
import { getAccount, listAccounts } from './reads.ts'
import { openAccount } from './open-account.ts'
import * as schema from './schema.ts'
import { toAccountPage, toNewAccount, toVisible } from './schema.ts'

type RouteDeps = Parameters<typeof openAccount>[0] &
  Parameters<typeof listAccounts>[0] &
  Parameters<typeof setFrozen>[0]

export function virtualAccountRoutes(app: App, deps: RouteDeps): void {
  const tags = ['Virtual accounts']
  app.post(
    '/v1/virtual-accounts/internal/bank',
    {
      config: {
        spec: '4.12',
        access: { permission: 'virtual-accounts:write' },
        control: 'none: it opens an account for money that comes in',
      },
      schema: {
        tags,
        operationId: 'virtualAccounts.create',
        description:
          'If a provider of your country opens accounts in the currency, `bank_details` says where deposits go; otherwise the account is internal and filled by book transfer. 502 if the provider does not answer: no account is opened then.',
        summary: 'Open a virtual account',
        body: schema.openAccountBody,
        response: { 201: schema.accountResponse, ...errors(502) },
      },
    },
    async ({ caller, body }, reply) => {
      const opened = await openAccount(deps, caller, toNewAccount(body))
      return reply.status(201).send(ok('Virtual account opened.', toVisible(caller, opened)))
    },
  )
  app.get(
    '/v1/virtual-accounts',
    {
      config: { spec: '4.12', access: { permission: 'virtual-accounts:read' } },
      schema: {
        tags,
        operationId: 'virtualAccounts.list',
        description: 'Account numbers show their last digits only.',
        summary: 'List the virtual accounts, with masked account numbers',
        querystring: schema.listAccountsQuery,
        response: { 200: schema.accountPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toAccountPage(
        await listAccounts(deps, caller, {
          filters: {
            userId: query.user_id,
            customerId: query.customer_id,
            currency: query.currency,
            status: query.status,
          },
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.get(
    '/v1/virtual-accounts/:account_id',
    {
      config: { spec: '4.12', access: { permission: 'virtual-accounts:read' } },
      schema: {
        tags,
        operationId: 'virtualAccounts.get',
        description: '`balance` includes held money; `available_balance` is what can be spent.',
        summary: 'Get a virtual account with its balance',
        params: schema.accountParams,
        response: { 200: schema.accountResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Virtual account.',
        toVisible(caller, await getAccount(deps, caller.orgId, { accountId: params.account_id })),
      ),
  )
  app.post(
    '/v1/virtual-accounts/:account_id/freeze',
    {
      config: {
        spec: '4.12',
        access: { permission: 'virtual-accounts:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'virtualAccounts.freeze',
        description:
          'Debits and book transfers are refused with 409 from now on. Deposits still arrive, and withdrawals in progress end normally.',
        summary: 'Freeze a virtual account so that it cannot be debited',
        params: schema.accountParams,
        body: schema.freezeBody,
        response: { 200: schema.accountResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const change = { accountId: params.account_id, frozen: true, reason: body?.reason ?? null }
      return ok('The account is frozen.', toVisible(caller, await setFrozen(deps, caller, change)))
    },
  )
  app.post(
    '/v1/virtual-accounts/:account_id/unfreeze',
    {
      config: {
        spec: '4.12',
        access: { permission: 'virtual-accounts:write' },
        control: 'none: a withdrawal has approvals of its own',
      },
      schema: {
        tags,
        operationId: 'virtualAccounts.unfreeze',
        description: 'Debits are possible again at once.',
        summary: 'Unfreeze a virtual account so that it can be debited again',
        params: schema.accountParams,
        body: schema.freezeBody,
        response: { 200: schema.accountResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) => {
      const change = { accountId: params.account_id, frozen: false, reason: body?.reason ?? null }
      return ok('The account is active.', toVisible(caller, await setFrozen(deps, caller, change)))
    },
  )
}
