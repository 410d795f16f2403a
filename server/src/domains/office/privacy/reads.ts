import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import type { Erasure } from './record.ts'
import { findErasure, selectErasures } from './store.ts'

export async function getErasure(
  deps: { db: Database },
  { orgId }: Caller,
  { erasureId }: { erasureId: string },
): Promise<Erasure> {
  const found = await deps.db.inOrg(orgId, (tx) => findErasure(tx, orgId, erasureId))
  if (!found) throw notFound('The erasure')
  return found
}

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
