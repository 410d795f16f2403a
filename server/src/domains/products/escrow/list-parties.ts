import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { getEscrow } from './get-escrow.ts'
import type { Party } from './record.ts'
import { selectParties } from './store.ts'

/** Not paged, because the number of parties is limited. */
export async function listParties(
  deps: { db: Database },
  caller: Caller,
  input: { escrowId: string },
): Promise<Party[]> {
  await getEscrow(deps, caller, input)
  return deps.db.inOrg(caller.orgId, (tx) => selectParties(tx, caller.orgId, input.escrowId))
}
