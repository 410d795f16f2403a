import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Erasure } from './record.ts'
import { selectErasures } from './store.ts'

export const listErasures = (
  deps: { db: Database; cursorKey: KeyRing },
  { orgId }: Caller,
  { page }: { page: PageRequest },
): Promise<Page<Erasure>> =>
  readPage(deps.cursorKey, page, {
    scope: { orgId, route: 'erasures', filters: {} },
    read: (limit, before) => deps.db.inOrg(orgId, (tx) => selectErasures(tx, orgId, { limit, before })),
    positionOf: ({ createdAt, erasureId }) => ({ createdAt, id: erasureId }),
  })
