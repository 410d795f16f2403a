import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { StoredTransfer, TransferFilters } from './record.ts'
import { selectTransfers } from './store.ts'

export function listTransfers(
  deps: { db: Database; cursorKey: KeyRing },
  caller: Caller,
  input: { orgId: string | undefined; filters: TransferFilters; page: PageRequest },
): Promise<Page<StoredTransfer>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { filters } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'ledger-transfers', filters: { ...filters } },
    read: (limit, position) => {
      const [causeId = '', kind = ''] = position?.id.split(' ') ?? []
      const before = position && { createdAt: position.createdAt, causeId, kind }
      return deps.db.inOrg(orgId, (tx) => selectTransfers(tx, orgId, { filters, limit, before }))
    },
    positionOf: ({ createdAt, causeId, kind }) => ({ createdAt, id: `${causeId} ${kind}` }),
  })
}
