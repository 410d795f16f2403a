import type { App } from '../../../../http/app.ts'
import { errors, ok } from '../../../../lib/requests/wire.ts'
import { listAddresses } from './list-addresses.ts'
import type { AddressListDeps } from './record.ts'
import { removeAddress } from './remove-address.ts'
import * as schema from './schema.ts'
import { setAddress } from './set-address.ts'

export function screeningRoutes(app: App, deps: AddressListDeps): void {
  const tags = ['Screening']
  app.get(
    '/v1/screening/addresses',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'screening.listAddresses',
        description: 'Entries of the operator hold for every organisation.',
        summary: 'List the crypto addresses that are allowed or denied',
        querystring: schema.listAddressesQuery,
        response: { 200: schema.addressPage, ...errors() },
      },
    },
    async ({ caller, query }) =>
      schema.toAddressPage(
        await listAddresses(deps, caller, { limit: query.limit, cursor: query.last_evaluated_key }),
      ),
  )
  app.put(
    '/v1/screening/addresses/:address',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: an entry that allows an address does not overrule the screening of the operator',
      },
      schema: {
        tags,
        operationId: 'screening.setAddress',
        description:
          "A denied address gets no crypto. An allow entry of an organisation does not overrule the operator's screening.",
        summary: 'Allow or deny a crypto address',
        params: schema.addressParams,
        body: schema.setAddressBody,
        response: { 200: schema.addressResponse, ...errors() },
      },
    },
    async ({ caller, params, body }) =>
      ok(
        'The address is on the list.',
        schema.toScreenedAddress(await setAddress(deps, caller, { ...params, ...body })),
      ),
  )
  app.delete(
    '/v1/screening/addresses/:address',
    {
      config: {
        access: { permission: 'provider-configs:write' },
        control: 'none: the address is screened like any other again',
      },
      schema: {
        tags,
        operationId: 'screening.deleteAddress',
        description: 'The address is then screened like any other.',
        summary: 'Remove a crypto address from the list',
        params: schema.addressParams,
        querystring: schema.removeAddressQuery,
        response: { 204: schema.nothing, ...errors(404) },
      },
    },
    async ({ caller, params, query }, reply) => {
      await removeAddress(deps, caller, { ...params, ...query })
      return reply.status(204).send(null)
    },
  )
}
