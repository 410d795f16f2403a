import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import { getSimulation } from './get-simulation.ts'
import type { SimulationDeps } from './record.ts'
import { fromSimulate, simulateBody, simulationParams, simulationResponse, toSimulation } from './schema.ts'
import { startSimulation } from './start-simulation.ts'

export function simulationRoutes(app: App, deps: Pick<SimulationDeps, 'db' | 'clock'>): void {
  const tags = ['Routing']
  app.post(
    '/v1/routing/simulate',
    {
      config: { access: { permission: 'provider-configs:write' }, control: 'none: it only computes' },
      schema: {
        tags,
        operationId: 'routingSimulations.create',
        summary: 'Simulate what a routing policy would have done',
        description:
          'Replays your own payments of up to 90 days: how many would have gone to another account first, and the expected success rate and cost per corridor. Nothing is sent. Read the progress and the result with the id.',
        body: simulateBody,
        response: { 202: simulationResponse, ...errors(409) },
      },
    },
    async ({ caller, body }, reply) =>
      reply
        .status(202)
        .send(toSimulation(await startSimulation(deps, caller, fromSimulate(body, deps.clock.now())))),
  )
  app.get(
    '/v1/routing/simulations/:simulation_id',
    {
      config: { access: { permission: 'provider-configs:read' } },
      schema: {
        tags,
        operationId: 'routingSimulations.get',
        summary: 'Get the progress and the result of a simulation',
        description: 'A simulation is kept for 30 days.',
        params: simulationParams,
        response: { 200: simulationResponse, ...errors(404) },
      },
    },
    async ({ caller, params }) =>
      toSimulation(await getSimulation(deps, caller, { simulationId: params.simulation_id })),
  )
}
