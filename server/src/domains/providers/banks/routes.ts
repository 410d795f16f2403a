import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { listBanks } from './list-banks.ts'
import type { BankDeps } from './record.ts'
import { bankList, listBanksQuery, toBankList } from './schema.ts'

export function bankRoutes(app: App, deps: BankDeps): void {
  app.get(
    '/v1/catalog/banks',
    {
      config: { access: { permission: 'networks:read' } },
      schema: {
        operationId: 'catalog.listBanks',
        tags: ['Catalogues'],
        summary: 'List the banks of a country',
        description:
          'The banks that your active providers can pay to, by name. It is empty where no provider lists banks; a payout there needs what its provider asks for, such as a sort code or an IBAN.',
        querystring: listBanksQuery,
        response: { 200: bankList, ...errors() },
      },
    },
    async ({ caller, query }) =>
      toBankList(query.country, await listBanks(deps, caller.orgId, query.country)),
  )
}
