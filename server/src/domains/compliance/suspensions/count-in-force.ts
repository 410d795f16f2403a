import type { Database } from '../../../kernel/db/database.ts'
import { suspensionKinds, type SuspensionKind } from './record.ts'
import { countInForceAcrossOrgs } from './store.ts'

/** Every kind, also those of which none is in force. */
export async function countInForce(deps: {
  db: Database
}): Promise<{ kind: SuspensionKind; count: number }[]> {
  const counted = await deps.db.acrossOrgs((tx) => countInForceAcrossOrgs(tx))
  return suspensionKinds.map((kind) => ({
    kind,
    count: counted.find((one) => one.kind === kind)?.count ?? 0,
  }))
}
