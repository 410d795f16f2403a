import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import type { SimulationDeps, SimulationIds } from './record.ts'
import { replayHistory } from './replay-history.ts'

const input = z.object({ orgId: z.uuid(), simulationId: z.uuid() })

/** A worker that dies leaves no half result: another one replays from the start. */
export const simulationService = (engine: EngineScope, deps: SimulationDeps): EngineService =>
  defineService<{ replay: SimulationIds }>(engine, 'RoutingSimulations', {
    replay: {
      input,
      async run(context, ids) {
        await context.untilDone('replay', () => replayHistory(deps, ids))
      },
    },
  })
