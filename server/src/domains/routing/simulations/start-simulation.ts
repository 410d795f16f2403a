import { enqueue, outboxChannel } from '../../../kernel/engine/outbox.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { simulationRunning, spanInFuture, spanTooOld } from './errors.ts'
import type { Simulation, SimulationDeps, SimulationIds } from './record.ts'
import { countOpenSimulations, deleteSimulations, insertSimulation } from './store.ts'

const dayMs = 24 * 60 * 60_000
const longestDays = 90
/** One that has not finished by then was lost, and hinders no other. */
const abandonedMs = 30 * 60_000
const keptMs = 30 * dayMs

export const simulationJob = ({ orgId, simulationId }: SimulationIds) => ({
  service: 'RoutingSimulations',
  handler: 'replay',
  payload: { orgId, simulationId },
})

/** The engine replays the organisation's own payments; one simulation of an organisation runs at a time. */
export async function startSimulation(
  deps: Pick<SimulationDeps, 'db' | 'clock'>,
  caller: Caller,
  input: Pick<Simulation, 'policy' | 'from' | 'to'>,
): Promise<Simulation> {
  const { orgId, userId } = caller
  const now = deps.clock.now()
  if (input.from >= now) throw spanInFuture()
  if (now.getTime() - input.from.getTime() > longestDays * dayMs) throw spanTooOld(longestDays)
  return deps.db.inOrg(orgId, async (tx) => {
    if ((await countOpenSimulations(tx, orgId, new Date(now.getTime() - abandonedMs))) > 0)
      throw simulationRunning()
    await deleteSimulations(tx, orgId, new Date(now.getTime() - keptMs))
    const simulation = await insertSimulation(tx, orgId, {
      ...input,
      simulationId: newId(),
      createdBy: userId,
    })
    await enqueue(tx, orgId, simulationJob(simulation))
    tx.notifyAfterCommit(outboxChannel)
    await recordAudit(tx, caller, orgId, {
      action: 'routing-simulation.start',
      resourceType: 'routing-simulation',
      resourceId: simulation.simulationId,
      after: { from: simulation.from.toISOString(), to: simulation.to.toISOString() },
    })
    return simulation
  })
}
