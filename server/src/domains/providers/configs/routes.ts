import type { App } from '../../../http/app.ts'
import { errors, ok } from '../../../lib/requests/wire.ts'
import { createConfig } from './create-config.ts'
import { deleteConfig } from './delete-config.ts'
import { getConfig, listConfigs } from './reads.ts'
import type { ConfigDeps } from './record.ts'
import * as schema from './schema.ts'
import { fromChanges, fromNewConfig, toConfig, toConfigPage } from './schema.ts'
import { updateConfig } from './update-config.ts'

export function providerConfigRoutes(app: App, deps: ConfigDeps): void {
  const tags = ['Provider configurations']
  app.get(
    '/v1/payments/provider-configs',
    {
      config: { spec: '4.15', access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'providerConfigs.list',
        description:
          "A payment tries the active configurations of its corridor, the lowest `priority` first; at a tie, the organisation's own go before those of the installation.",
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
      config: {
        spec: '4.15',
        access: { permission: 'provider-configs:write' },
        control:
          'none: it chooses among accounts whose keys a second person has approved, and payouts need their approvals on every route',
      },
      schema: {
        tags,
        operationId: 'providerConfigs.create',
        description:
          'An org-admin creates configurations for their own organisation, and the operator for the installation. The provider needs credentials before the configuration is used.',
        summary: 'Create a provider configuration for a country, method and direction',
        body: schema.createConfigBody,
        response: { 201: schema.configResponse, ...errors(404, 409) },
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
        operationId: 'providerConfigs.get',
        description: 'Answers for configurations of your organisation and of the installation.',
        summary: 'Get a provider configuration',
        params: schema.configParams,
        response: { 200: schema.config, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toConfig(await getConfig(deps, caller, { provider: params.provider, configId: params.config_id })),
  )
  app.patch(
    '/v1/payments/provider-configs/:provider/:config_id',
    {
      config: {
        spec: '4.15',
        access: { permission: 'provider-configs:write' },
        control:
          'none: it chooses among accounts whose keys a second person has approved, and payouts need their approvals on every route',
      },
      schema: {
        tags,
        operationId: 'providerConfigs.update',
        description:
          'Only the fields that you send change. Payments in progress keep the provider that they were sent to.',
        summary: 'Update the priority or amount range of a provider configuration, or disable it',
        params: schema.configParams,
        body: schema.updateConfigBody,
        response: { 200: schema.configResponse, ...errors(404, 409) },
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
      config: {
        spec: '4.15',
        access: { permission: 'provider-configs:write' },
        control: 'none: it only takes rights away or stops something',
      },
      schema: {
        tags,
        operationId: 'providerConfigs.delete',
        description: 'Payments in progress keep the provider that they were sent to.',
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
