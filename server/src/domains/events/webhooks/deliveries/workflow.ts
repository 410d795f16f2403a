import { z } from 'zod'
import type { LocalService } from '../../../../kernel/engine/local-runs.ts'
import { defineService, type EngineScope, type EngineService } from '../../../../kernel/engine/service.ts'
import { attemptClaimed, attemptDelivery } from './attempt-delivery.ts'
import type { ClaimedColumns, DeliveryDeps, DeliveryToAttempt } from './record.ts'
import { deliveryServiceName } from './rules.ts'
import { claimedDelivery } from './store.ts'

const input = z.object({
  orgId: z.uuid(),
  deliveryId: z.uuid(),
  /** The first attempt failed or found no slot, and the next one is due after this time. */
  waitMs: z.number().nonnegative().optional(),
})

/** Makes the first attempt in the worker that claims the job. A delivery that has to wait becomes work of the engine. */
export const firstAttempts = (deps: DeliveryDeps): LocalService<ClaimedColumns> => ({
  service: deliveryServiceName,
  details: claimedDelivery,
  async run({ orgId, outboxId, payload, ...columns }) {
    const { deliveryId } = input.parse(payload)
    const due = readClaimed(orgId, columns)
    const end = await attemptClaimed(deps, { orgId, deliveryId, outboxId, due })
    return typeof end === 'number' ? { orgId, deliveryId, waitMs: end } : end
  },
  saturated: () => ({ ...deps.localBacklog.saturated(), receivers: deps.bulkheads.closed() }),
})

/** The delivery and its endpoint in the columns of a claim. Undefined when the delivery was deleted. */
function readClaimed(orgId: string, columns: ClaimedColumns): DeliveryToAttempt | undefined {
  const { deliveryId, deliveryStatus, madeAttempts, endpointStatus, ...rest } = columns
  if (deliveryId === null) return undefined
  return {
    delivery: { ...rest, deliveryId, status: deliveryStatus, attempts: madeAttempts },
    endpoint: endpointStatus === null ? undefined : { ...rest, orgId, status: endpointStatus },
  }
}

/** Runs the remaining attempts of one delivery on the schedule until one succeeds or none is left. */
export const deliveryService = (engine: EngineScope, deps: DeliveryDeps): EngineService =>
  defineService<{ deliver: z.infer<typeof input> }>(engine, deliveryServiceName, {
    deliver: {
      input,
      run: (context, { waitMs, ...ids }) =>
        context.repeat('attempt', async (round) =>
          round === 0 && waitMs !== undefined
            ? waitMs
            : attemptDelivery(deps, { ...ids, hasWaited: round > 0 }),
        ),
    },
  })
