import type { Database } from '../../../db/database.ts'
import { batchCalls } from '../../../lib/batch-calls.ts'
import { selectEndpointsOf, toEndpoints, type Endpoint } from '../find-endpoint.ts'
import { selectDueDeliveries, writeAttempts, type AttemptRecord, type DueDelivery } from './store.ts'

export interface Due {
  delivery: DueDelivery
  /** Undefined when it was deleted. */
  endpoint: Endpoint | undefined
}

/** Reads and writes of deliveries that wait at the same time are one round trip for each organisation. */
export interface DeliveryRecords {
  read(orgId: string, deliveryId: string): Promise<Due | undefined>
  /** False when somebody else has recorded this attempt. */
  write(orgId: string, attempt: AttemptRecord): Promise<boolean>
}

const itemsLimit = 100

/** A limit for each, so that reads leave connections free: what was sent and not recorded is sent twice. */
export const createDeliveryRecords = (db: Database, batchesLimit: number): DeliveryRecords => ({
  read: batchCalls({ itemsLimit, batchesLimit, run: (orgId, ids: string[]) => readAll(db, orgId, ids) }),
  write: batchCalls({
    itemsLimit,
    batchesLimit,
    async run(orgId, attempts: AttemptRecord[]) {
      const [rows = []] = await db.batchInOrg(orgId, [writeAttempts(orgId, attempts)])
      const written = new Set(rows.map((row) => row['deliveryId']))
      return ({ deliveryId }) => written.has(deliveryId)
    },
  }),
})

async function readAll(
  db: Database,
  orgId: string,
  deliveryIds: string[],
): Promise<(deliveryId: string) => Due | undefined> {
  const [rows = [], endpointRows = []] = await db.batchInOrg(orgId, [
    selectDueDeliveries(orgId, deliveryIds),
    selectEndpointsOf(orgId, deliveryIds),
  ])
  const endpoints = toEndpoints(endpointRows)
  const due = new Map(
    (rows as unknown as DueDelivery[]) // the columns that the statement names
      .map((delivery) => [delivery.deliveryId, { delivery, endpoint: endpoints.get(delivery.webhookId) }]),
  )
  return (deliveryId) => due.get(deliveryId)
}
