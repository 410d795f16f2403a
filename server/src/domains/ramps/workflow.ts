import { z } from 'zod'
import { defineService, type EngineService } from '../../engine/service.ts'
import { advanceRamp } from './advance-ramp.ts'
import type { RampDeps } from './ramp-deps.ts'

const input = z.object({ orgId: z.uuid(), paymentId: z.uuid() })

/** Collection, settlement, end: looks after a ramp until nothing more is expected of it. */
export const rampService = (namespace: string, deps: RampDeps): EngineService =>
  defineService<{ supervise: z.infer<typeof input> }>(namespace, 'Ramps', {
    supervise: {
      input,
      run: (context, ids) => context.repeat('advance', async () => (await advanceRamp(deps, ids)).nextPollMs),
    },
  })
