import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import type { EscrowWithTotals } from './record.ts'
import { findEscrow } from './store.ts'

export async function getEscrow(
  deps: { db: Database },
  { orgId }: Caller,
  input: { escrowId: string },
): Promise<EscrowWithTotals> {
  const found = await deps.db.inOrg(orgId, (tx) => findEscrow(tx, orgId, input.escrowId))
  if (!found) throw notFound('The escrow')
  return found
}
