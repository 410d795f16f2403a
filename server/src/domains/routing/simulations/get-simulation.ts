import type { Database } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { noSuchSimulation } from './errors.ts'
import type { Simulation } from './record.ts'
import { findSimulation } from './store.ts'

export async function getSimulation(
  deps: { db: Database },
  caller: Caller,
  { simulationId }: { simulationId: string },
): Promise<Simulation> {
  const { orgId } = caller
  const found = await deps.db.inOrg(orgId, (tx) => findSimulation(tx, orgId, simulationId))
  if (!found) throw noSuchSimulation()
  return found
}
