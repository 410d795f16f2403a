import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import { openDetails } from './get-account.ts'
import type { AccountFilters, OpenedVirtualAccount, AccountDeps } from './record.ts'
import { selectAccountPage } from './store.ts'

export async function listAccounts(
  deps: Pick<AccountDeps, 'db' | 'vault'> & { cursorKey: KeyRing },
  caller: Caller,
  input: { filters: AccountFilters; page: PageRequest },
): Promise<Page<OpenedVirtualAccount>> {
  const { orgId } = caller
  const page = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'virtual-accounts', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectAccountPage(tx, orgId, { ...input.filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.accountId }),
  })
  return { ...page, items: await Promise.all(page.items.map((row) => openDetails(deps, row))) }
}
