import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { changeRequestResponse, toHeld } from '../../people/change-requests/schema.ts'
import { addAccount } from './add-account.ts'
import { checkKeys } from './check-keys.ts'
import { getAccount, listAccounts, listCredentials } from './reads.ts'
import type { AccountDeps } from './record.ts'
import { replaceCredentials } from './replace-credentials.ts'
import * as schema from './schema.ts'
import { toAccount, toAccountList, toCredentialList, toCredentialSummary } from './schema.ts'
import { storeCredentials } from './store-credentials.ts'
import { updateAccount } from './update-account.ts'

const tags = ['Provider configurations']

export function providerAccountRoutes(app: App, deps: AccountDeps): void {
  accountEndpoints(app, deps)
  accountChanges(app, deps)
  credentialEndpoints(app, deps)
}

function accountEndpoints(app: App, deps: AccountDeps): void {
  app.get(
    '/v1/payments/provider-accounts',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'providerAccounts.list',
        description:
          'Accounts of the installation are shown without their keys, and their webhook addresses only to the operator. Everything that was sent stays with the account that carried it.',
        summary: 'List the merchant accounts of the organisation and of the installation',
        querystring: schema.listAccountsQuery,
        response: { 200: schema.accountList, ...errors() },
      },
    },
    async ({ caller, query }) => toAccountList(caller, await listAccounts(deps, caller, query)),
  )
  app.get(
    '/v1/payments/provider-accounts/:account_id',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'providerAccounts.get',
        description:
          'Register `webhook_url` with the provider; its token is unguessable and belongs to this account only.',
        summary: 'Get a merchant account and its webhook address; the keys are never shown',
        params: schema.accountParams,
        response: { 200: schema.accountResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Provider account.',
        toAccount(caller, await getAccount(deps, caller, { accountId: params.account_id })),
      ),
  )
}

function accountChanges(app: App, deps: AccountDeps): void {
  app.post(
    '/v1/payments/provider-accounts',
    {
      config: { access: { permission: 'provider-configs:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'providerAccounts.create',
        description:
          'The keys are checked with the provider where it allows that, then encrypted; they are never shown again. May answer 202 with a change request if a second person has to approve it.',
        summary: 'Add a merchant account at a provider, with its keys',
        body: schema.addAccountBody,
        response: { 201: schema.accountResponse, 202: changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, body }, reply) => {
      const outcome = await addAccount(deps, caller, { ...body, orgId: body.org_id })
      if (outcome.held) return reply.status(202).send(toHeld(outcome.held))
      const message = 'Account added. Give the webhook_url to the provider.'
      return reply.status(201).send(ok(message, toAccount(caller, outcome.done)))
    },
  )
  app.patch(
    '/v1/payments/provider-accounts/:account_id',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: it changes the name of an account, or retires it',
      },
      schema: {
        tags,
        operationId: 'providerAccounts.update',
        description:
          'A retired account gets no new payments but finishes those that it carries, webhooks included.',
        summary: 'Rename a merchant account, or retire it: it finishes what it carries',
        params: schema.accountParams,
        body: schema.updateAccountBody,
        response: { 200: schema.accountResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'Account updated.',
        toAccount(caller, await updateAccount(deps, caller, { ...body, accountId: params.account_id })),
      ),
  )
  app.put(
    '/v1/payments/provider-accounts/:account_id/credentials',
    {
      config: { access: { permission: 'provider-configs:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'providerAccounts.setCredentials',
        description:
          'Keys of another merchant account are refused where the provider can tell. Payments in progress go on under the new keys. May answer 202 with a change request.',
        summary: 'Replace the keys of a merchant account by other keys of the same account',
        params: schema.accountParams,
        body: schema.replaceCredentialsBody,
        response: { 200: schema.accountResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const outcome = await replaceCredentials(deps, caller, { ...body, accountId: params.account_id })
      if (outcome.held) return reply.status(202).send(toHeld(outcome.held))
      return reply.send(ok('Keys replaced.', toAccount(caller, outcome.done)))
    },
  )
}

function credentialEndpoints(app: App, deps: AccountDeps): void {
  app.get(
    '/v1/payments/provider-credentials',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'providerCredentials.list',
        description: 'Shows which providers have keys and when they were stored.',
        summary: 'List the providers that have credentials; the keys are never shown',
        response: { 200: schema.credentialList, ...errors() },
      },
    },
    async ({ caller }) => toCredentialList(caller, await listCredentials(deps, caller)),
  )
  app.put(
    '/v1/payments/provider-credentials/:provider',
    {
      config: { access: { permission: 'provider-configs:write' }, control: 'second-person' },
      schema: {
        tags,
        operationId: 'providerCredentials.set',
        description:
          'The short way for an organisation with one account per provider: creates the account or replaces its keys. May answer 202 with a change request.',
        summary: 'Store the keys of the only account at a provider, encrypted; they are never shown again',
        params: schema.credentialParams,
        body: schema.credentialsBody,
        response: { 200: schema.credentialResponse, 202: changeRequestResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const outcome = await storeCredentials(deps, caller, {
        provider: params.provider,
        orgId: body.org_id,
        credentials: body.credentials,
      })
      if (outcome.held) return reply.status(202).send(toHeld(outcome.held))
      const message = 'Credentials stored. Give the webhook_url to the provider.'
      return reply.send(ok(message, toCredentialSummary(caller, outcome.done)))
    },
  )
  app.post(
    '/v1/payments/provider-credentials/:provider/check',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: it only asks the provider whether keys are valid',
      },
      schema: {
        tags,
        operationId: 'providerCredentials.check',
        summary: 'Ask the provider whether the stored keys work, and whose they are',
        description:
          'Makes only calls that move no money. Without org_id it checks your own account, or for the operator that of the installation. A provider that cannot be asked gives the verdict unknown.',
        params: schema.credentialParams,
        body: schema.checkKeysBody,
        response: { 200: schema.checkedKeysResponse, ...errors(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      schema.toCheckedKeys(
        await checkKeys(deps, caller, {
          provider: params.provider,
          orgId: body?.org_id,
          accountId: body?.account_id,
        }),
      ),
  )
}
