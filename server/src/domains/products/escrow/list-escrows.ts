import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { EscrowWithTotals } from './record.ts'
import { selectEscrowPage } from './store.ts'

export const listEscrows = (
  deps: { db: Database; cursorKey: KeyRing },
  { orgId }: Caller,
  input: { status: string | undefined; page: PageRequest },
): Promise<Page<EscrowWithTotals>> =>
  readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'escrow', filters: { status: input.status } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectEscrowPage(tx, orgId, { status: input.status, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.escrowId }),
  })
