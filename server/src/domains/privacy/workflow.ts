import { z } from 'zod'
import { defineService, type EngineService } from '../../engine/service.ts'
import { erasePerson } from './erase-person.ts'
import type { ErasureDeps, ErasureIds } from './record.ts'

const input = z.object({ orgId: z.uuid(), erasureId: z.uuid() })

/** A worker that dies leaves an erasure that another one repeats from the start. */
export const privacyService = (namespace: string, deps: ErasureDeps): EngineService =>
  defineService<{ erase: ErasureIds }>(namespace, 'Privacy', {
    erase: {
      input,
      async run(context, ids) {
        await context.untilDone('erase', () => erasePerson(deps, ids))
      },
    },
  })
