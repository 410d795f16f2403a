import type { Database } from '../../../db/database.ts'
import { batchCalls } from '../../../lib/batch-calls.ts'
import type { Webhook } from '../record.ts'
import { selectWebhooksOfDeliveries } from '../store.ts'
import type { AttemptRecord, DeliveryRecords, DeliveryToAttempt, DueDelivery } from './record.ts'
import { selectDueDeliveries, writeAttempts } from './store.ts'

const itemsLimit = 100

/** Reads and writes have separate limits, so that reads cannot delay the record of an attempt that was sent. */
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
): Promise<(deliveryId: string) => DeliveryToAttempt | undefined> {
  const [rows = [], endpointRows = []] = await db.batchInOrg(orgId, [
    selectDueDeliveries(orgId, deliveryIds),
    selectWebhooksOfDeliveries(orgId, deliveryIds),
  ])
  const endpoints = new Map(
    (endpointRows as unknown as Webhook[]) // the columns that the statement names
      .map((endpoint) => [endpoint.webhookId, endpoint]),
  )
  const due = new Map(
    (rows as unknown as DueDelivery[]) // the columns that the statement names
      .map((delivery) => [delivery.deliveryId, { delivery, endpoint: endpoints.get(delivery.webhookId) }]),
  )
  return (deliveryId) => due.get(deliveryId)
}
