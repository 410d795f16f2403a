import { z } from 'zod'
import { defineService, type EngineScope, type EngineService } from '../../../../kernel/engine/service.ts'
import { advanceRun } from './advance-run.ts'
import type { RunDeps } from './record.ts'

const input = z.object({ runId: z.uuid() })

/** Screens everybody by a new version. When a worker dies, another one resumes where it stopped. */
export const sanctionsService = (engine: EngineScope, deps: RunDeps): EngineService =>
  defineService<{ screen: z.infer<typeof input> }>(engine, 'Sanctions', {
    screen: { input, run: (context, run) => context.repeat('screen', () => advanceRun(deps, run)) },
  })
