import { z } from 'zod'
import type { Database } from '../../../kernel/db/database.ts'
import { defineService, type EngineScope, type EngineService } from '../../../kernel/engine/service.ts'
import { removeDeliveries } from './remove-deliveries.ts'
import { resumeDeliveries } from './resume-deliveries.ts'
import { webhookServiceName } from './rules.ts'

const input = z.object({ orgId: z.uuid(), webhookId: z.uuid() })
type Ids = z.infer<typeof input>

/** Applies the change of an endpoint to its deliveries, which can be millions, in bounded steps. */
export const webhookService = (engine: EngineScope, deps: { db: Database }): EngineService =>
  defineService<{ resume: Ids; remove: Ids }>(engine, webhookServiceName, {
    resume: {
      input,
      async run(context, ids) {
        while (await context.untilDone('resume', () => resumeDeliveries(deps, ids)));
      },
    },
    remove: {
      input,
      async run(context, ids) {
        while (await context.untilDone('remove', () => removeDeliveries(deps, ids)));
      },
    },
  })
