import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import type { Erasure } from './record.ts'
import { findErasure } from './store.ts'

export async function getErasure(
  deps: { db: Database },
  { orgId }: Caller,
  { erasureId }: { erasureId: string },
): Promise<Erasure> {
  const found = await deps.db.inOrg(orgId, (tx) => findErasure(tx, orgId, erasureId))
  if (!found) throw notFound('The erasure')
  return found
}
