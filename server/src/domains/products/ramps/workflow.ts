import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { advanceRamp } from './advance-ramp.ts'
import type { RampDeps } from './record.ts'

const input = z.object({ orgId: z.uuid(), paymentId: z.uuid() })

/** Supervises a ramp through collection and delivery until it is closed. */
export const rampService = (engine: EngineScope, deps: RampDeps): EngineService =>
  defineService<{ supervise: z.infer<typeof input> }>(engine, 'Ramps', {
    supervise: {
      input,
      run: (context, ids) => context.repeat('advance', async () => (await advanceRamp(deps, ids)).nextPollMs),
    },
  })
