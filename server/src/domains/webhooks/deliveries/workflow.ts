import { z } from 'zod'
import { defineService, type EngineService } from '../../../engine/service.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import type { DeliveryDeps } from './record.ts'
import { deliveryServiceName } from './rules.ts'

const input = z.object({ orgId: z.uuid(), deliveryId: z.uuid() })

/** Runs the attempts of one delivery on the schedule until one succeeds or none is left. */
export const deliveryService = (namespace: string, deps: DeliveryDeps): EngineService =>
  defineService<{ deliver: z.infer<typeof input> }>(namespace, deliveryServiceName, {
    deliver: {
      input,
      run: (context, ids) =>
        context.repeat('attempt', (round) => attemptDelivery(deps, { ...ids, hasWaited: round > 0 })),
    },
  })
