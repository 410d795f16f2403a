import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import type { KeyRing } from '../../lib/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../lib/paging.ts'
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
