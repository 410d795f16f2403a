import { z } from 'zod'
import {
  defineService,
  type EngineScope,
  type EngineService,
  type StepPolicy,
} from '../../../kernel/engine/service.ts'
import { erasePerson } from './erase-person.ts'
import type { ErasureDeps, ErasureIds } from './record.ts'
import { applyRetention } from './retention/apply-retention.ts'
import type { RetentionDeps } from './retention/record.ts'

const retaining: StepPolicy = { attempts: 5, firstDelayMs: 1_000, longestDelayMs: 30_000 }

const input = z.object({ orgId: z.uuid(), erasureId: z.uuid() })

/** A worker that dies leaves an erasure that another one repeats from the start. */
export const privacyService = (engine: EngineScope, deps: ErasureDeps & RetentionDeps): EngineService =>
  defineService<{ erase: ErasureIds; retain: object }>(engine, 'Privacy', {
    erase: {
      input,
      async run(context, ids) {
        await context.untilDone('erase', () => erasePerson(deps, ids))
      },
    },
    retain: {
      input: z.object({}),
      async run(context) {
        await context.step('retain', retaining, () => applyRetention(deps))
      },
    },
  })
