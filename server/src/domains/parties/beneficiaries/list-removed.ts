import type { Tx } from '../../../kernel/db/database.ts'
import { selectExisting } from './store.ts'

/** Those of the beneficiaries that are not registered any more. */
export async function listRemoved(
  tx: Tx,
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<string[]> {
  const existing = new Set(await selectExisting(tx, orgId, beneficiaryIds))
  return beneficiaryIds.filter((id) => !existing.has(id))
}
