import { z } from 'zod'
import { defineService, type EngineService } from '../../../engine/service.ts'
import { attemptDelivery, type DeliveryDeps } from './attempt-delivery.ts'
import { deliveryServiceName } from './rules.ts'

const input = z.object({ orgId: z.uuid(), deliveryId: z.uuid() })

/** One durable delivery per event and endpoint: attempts on the schedule until one arrives or all are used up. */
export const deliveryService = (namespace: string, deps: DeliveryDeps): EngineService =>
  defineService<{ deliver: z.infer<typeof input> }>(namespace, deliveryServiceName, {
    deliver: {
      input,
      run: (context, ids) =>
        context.repeat('attempt', (round) => attemptDelivery(deps, { ...ids, hasWaited: round > 0 })),
    },
  })
