import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import type { AddressListDeps, ScreenedAddress } from './record.ts'
import { selectAddresses } from './store.ts'

export function listAddresses(
  deps: AddressListDeps,
  caller: Caller,
  page: PageRequest,
): Promise<Page<ScreenedAddress>> {
  const { orgId } = caller
  return readPage(deps.cursorKey, page, {
    scope: { orgId, route: 'screened-addresses', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectAddresses(tx, orgId, { limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.address }),
  })
}
