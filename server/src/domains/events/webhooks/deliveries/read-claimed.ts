import type { ClaimedColumns, DeliveryToAttempt } from './record.ts'

/** The delivery and its endpoint in the columns of a claim. Undefined when the delivery was deleted. */
export function readClaimed(orgId: string, columns: ClaimedColumns): DeliveryToAttempt | undefined {
  const { deliveryId, deliveryStatus, madeAttempts, endpointStatus, ...rest } = columns
  if (deliveryId === null) return undefined
  return {
    delivery: { ...rest, deliveryId, status: deliveryStatus, attempts: madeAttempts },
    endpoint: endpointStatus === null ? undefined : { ...rest, orgId, status: endpointStatus },
  }
}
