import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listProviderEntries } from './list-provider-entries.ts'
import { eventsResponse, providersResponse, rolesResponse, toEvents, toProviders, toRoles } from './schema.ts'

const tags = ['Catalogues']

export function catalogRoutes(app: App): void {
  app.get(
    '/v1/catalog/roles',
    {
      config: { access: { permission: 'member' } },
      schema: {
        operationId: 'catalog.listRoles',
        tags,
        summary: 'List the roles and permissions',
        description: 'The permissions of a member are those of their role, plus grants, minus revocations.',
        response: { 200: rolesResponse, ...errors() },
      },
    },
    async () => toRoles(),
  )
  app.get(
    '/v1/catalog/events',
    {
      config: { access: { permission: 'member' } },
      schema: {
        operationId: 'catalog.listEvents',
        tags,
        summary: 'List the types of webhook events, each with an example',
        description:
          'The example is made from the schema of the event. Receivers must accept fields that are added later.',
        response: { 200: eventsResponse, ...errors() },
      },
    },
    async () => toEvents(),
  )
  app.get(
    '/v1/catalog/providers',
    {
      config: { access: { permission: 'member' } },
      schema: {
        operationId: 'catalog.listProviders',
        tags,
        summary: 'List the providers with their capabilities and credential fields',
        description:
          'The capabilities are those of an account in which everything is enabled; yours may offer less. The credential fields are what PUT /v1/payments/provider-credentials/{provider} takes.',
        response: { 200: providersResponse, ...errors() },
      },
    },
    async () => toProviders(listProviderEntries()),
  )
}
