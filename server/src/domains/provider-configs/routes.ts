import type { App } from '../../http/app.ts'
import { errors, ok } from '../../lib/wire.ts'
import { changeRequestResponse, toHeld } from '../change-requests/schema.ts'
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
      config: { spec: '4.15', access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        summary: 'List the provider configurations of the organisation and of the installation',
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
      config: { spec: '4.15', access: { permission: 'provider-configs:write' } },
      schema: {
        tags,
        summary: 'Create a provider configuration for a country, method and direction',
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
      config: { spec: '4.15', access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        summary: 'Get a provider configuration',
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
      config: { spec: '4.15', access: { permission: 'provider-configs:write' } },
      schema: {
        tags,
        summary: 'Update the priority or amount range of a provider configuration, or disable it',
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
      config: { spec: '4.15', access: { permission: 'provider-configs:write' } },
      schema: {
        tags,
        summary: 'Delete a provider configuration',
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
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        summary: 'List the providers that have credentials; the keys are never shown',
        response: { 200: schema.credentialList, ...errors() },
      },
    },
    async ({ caller }) => toCredentialList(await listCredentials(deps, caller)),
  )
  app.put(
    '/v1/payments/provider-credentials/:provider',
    {
      config: { access: { permission: 'provider-configs:write' } },
      schema: {
        tags,
        summary: 'Store the credentials of a provider, encrypted; they are never shown again',
        params: schema.credentialParams,
        body: schema.credentialsBody,
        response: { 200: schema.credentialResponse, 202: changeRequestResponse, ...errors(404) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const stored = await storeCredentials(deps, caller, {
        provider: params.provider,
        orgId: body.org_id,
        credentials: body.credentials,
      })
      if (stored.held) return reply.status(202).send(toHeld(stored.held))
      const message = 'Credentials stored. Give the webhook_url to the provider.'
      return reply.send(ok(message, toCredentialSummary(stored.done)))
    },
  )
}
