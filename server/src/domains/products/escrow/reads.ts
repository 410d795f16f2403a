import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { EscrowWithTotals, Party } from './record.ts'
import { findEscrow, selectEscrowPage, selectParties } from './store.ts'

export async function getEscrow(
  deps: { db: Database },
  { orgId }: Caller,
  input: { escrowId: string },
): Promise<EscrowWithTotals> {
  const found = await deps.db.inOrg(orgId, (tx) => findEscrow(tx, orgId, input.escrowId))
  if (!found) throw notFound('The escrow')
  return found
}

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

/** Not paged, because the number of parties is limited. */
export async function listParties(
  deps: { db: Database },
  caller: Caller,
  input: { escrowId: string },
): Promise<Party[]> {
  await getEscrow(deps, caller, input)
  return deps.db.inOrg(caller.orgId, (tx) => selectParties(tx, caller.orgId, input.escrowId))
}
