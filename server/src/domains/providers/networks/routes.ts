import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listNetworks, type NetworkDeps } from './list-networks.ts'
import { listNetworksBody, networkList, toNetworkList } from './schema.ts'

export function networkRoutes(app: App, deps: NetworkDeps): void {
  app.post(
    '/v1/externals/networks',
    {
      config: { spec: '4.5', access: { permission: 'networks:read' } },
      schema: {
        tags: ['Networks'],
        operationId: 'networks.list',
        description:
          'Send the `provider` of an entry back as `mobile_money_details.provider`. The list is the union over the active providers of the country and up to an hour old.',
        summary: 'List the mobile money networks of a country',
        body: listNetworksBody,
        response: { 200: networkList, ...errors() },
      },
    },
    async ({ caller, body }) => toNetworkList(await listNetworks(deps, caller.orgId, body.country), body),
  )
}
