import type { App } from '../../http/app.ts'
import { errors, ok } from '../../lib/wire.ts'
import { createConfig } from './create-config.ts'
import { deleteConfig } from './delete-config.ts'
import { getConfig } from './get-config.ts'
import { listConfigs } from './list-configs.ts'
import { listCredentials } from './list-credentials.ts'
import type { ConfigDeps, CredentialDeps } from './record.ts'
import * as schema from './schema.ts'
import {
  fromChanges,
  fromNewConfig,
  toConfig,
  toConfigPage,
  toCredentialList,
  toCredentialSummary,
} from './schema.ts'
import { storeCredentials } from './store-credentials.ts'
import { updateConfig } from './update-config.ts'

export function providerConfigRoutes(app: App, deps: ConfigDeps & CredentialDeps): void {
  configEndpoints(app, deps)
  credentialEndpoints(app, deps)
}

function configEndpoints(app: App, deps: ConfigDeps): void {
  const tags = ['Provider configurations']
  app.get(
    '/v1/payments/provider-configs',
    {
      config: { spec: '4.15' },
      schema: {
        tags,
        summary: 'Your own and the installation’s configurations',
        querystring: schema.listConfigsQuery,
        response: { 200: schema.configPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toConfigPage(
        await listConfigs(deps, caller, {
          provider: query.provider,
          page: { limit: query.limit, cursor: query.last_evaluated_key },
        }),
      ),
  )
  app.post(
    '/v1/payments/provider-configs',
    {
      config: { spec: '4.15' },
      schema: {
        tags,
        summary: 'Let a provider serve a country, method and direction',
        body: schema.createConfigBody,
        response: { 201: schema.configResponse, ...errors() },
      },
    },
    async ({ caller, body }, reply) => {
      const created = await createConfig(deps, caller, { orgId: body.org_id, config: fromNewConfig(body) })
      return reply.status(201).send(ok('Configuration created.', toConfig(created)))
    },
  )
  app.get(
    '/v1/payments/provider-configs/:provider/:config_id',
    {
      config: { spec: '4.15' },
      schema: {
        tags,
        summary: 'One configuration',
        params: schema.configParams,
        response: { 200: schema.configResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      ok(
        'Configuration.',
        toConfig(await getConfig(deps, caller, { provider: params.provider, configId: params.config_id })),
      ),
  )
  app.patch(
    '/v1/payments/provider-configs/:provider/:config_id',
    {
      config: { spec: '4.15' },
      schema: {
        tags,
        summary: 'Change priority, range, or switch it off',
        params: schema.configParams,
        body: schema.updateConfigBody,
        response: { 200: schema.configResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }) => {
      const key = { provider: params.provider, configId: params.config_id }
      return ok(
        'Configuration updated.',
        toConfig(await updateConfig(deps, caller, { ...key, change: fromChanges(body) })),
      )
    },
  )
  app.delete(
    '/v1/payments/provider-configs/:provider/:config_id',
    {
      config: { spec: '4.15' },
      schema: {
        tags,
        summary: 'Remove a configuration',
        params: schema.configParams,
        response: { 204: schema.nothing, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      await deleteConfig(deps, caller, { provider: params.provider, configId: params.config_id })
      return reply.status(204).send(null)
    },
  )
}

function credentialEndpoints(app: App, deps: CredentialDeps): void {
  const tags = ['Provider configurations']
  app.get(
    '/v1/payments/provider-credentials',
    {
      schema: {
        tags,
        summary: 'Providers with stored credentials, without the credentials',
        response: { 200: schema.credentialList, ...errors() },
      },
    },
    async ({ caller }) => toCredentialList(await listCredentials(deps, caller)),
  )
  app.put(
    '/v1/payments/provider-credentials/:provider',
    {
      schema: {
        tags,
        summary: 'Store a provider’s credentials, encrypted; they are never shown again',
        params: schema.credentialParams,
        body: schema.credentialsBody,
        response: { 200: schema.credentialResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'Credentials stored. Give the webhook_url to the provider.',
        toCredentialSummary(
          await storeCredentials(deps, caller, {
            provider: params.provider,
            orgId: body.org_id,
            credentials: body.credentials,
          }),
        ),
      ),
  )
}
