import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import type { VirtualTransaction } from './record.ts'
import { findTransaction } from './store.ts'

/** With a user id, transactions of other users' accounts are not found. */
export async function getTransaction(
  deps: { db: Database },
  { orgId }: Caller,
  input: { transactionId: string; userId: string | undefined },
): Promise<VirtualTransaction> {
  const found = await deps.db.inOrg(orgId, (tx) => findTransaction(tx, orgId, input.transactionId))
  if (!found || (input.userId !== undefined && found.userId !== input.userId))
    throw notFound('The virtual transaction')
  return found
}
