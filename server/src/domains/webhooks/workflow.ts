import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { defineService, type EngineService } from '../../engine/service.ts'
import { webhookServiceName } from './rules.ts'
import { removeDeliveries, resumeDeliveries } from './settle-endpoint.ts'

const input = z.object({ orgId: z.uuid(), webhookId: z.uuid() })
type Ids = z.infer<typeof input>

/** What a change of an endpoint means for its deliveries, of which there may be very many. */
export const webhookService = (namespace: string, deps: { db: Database }): EngineService =>
  defineService<{ resume: Ids; remove: Ids }>(namespace, webhookServiceName, {
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
