import type { Database } from '../../../kernel/db/database.ts'
import { requeueWork } from '../../../kernel/engine/requeue.ts'
import type { SimulationIds } from './record.ts'
import { simulationJob } from './start-simulation.ts'
import { selectOpenSimulationsAcrossOrgs } from './store.ts'

/** Covers every simulation that has not finished. */
export const requeueSimulations = (deps: { db: Database }): Promise<number> =>
  requeueWork<SimulationIds>(deps.db, {
    read: (tx, after, limit) => selectOpenSimulationsAcrossOrgs(tx, after?.simulationId, limit),
    jobOf: (ids) => ({ orgId: ids.orgId, ...simulationJob(ids) }),
  })
