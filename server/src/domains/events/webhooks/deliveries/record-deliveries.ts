import { withoutFlush, type Database } from '../../../../kernel/db/database.ts'
import type { Row } from '../../../../kernel/db/pipeline.ts'
import { batchCalls } from '../../../../lib/flow/batch-calls.ts'
import type { Webhook } from '../record.ts'
import { selectWebhooksOfDeliveries } from '../store.ts'
import type { AttemptRecord, DeliveryRecords, DeliveryToAttempt, DueDelivery } from './record.ts'
import { selectDueDeliveries, writeAttempts, writeAttemptsAcrossOrgs } from './store.ts'

const itemsLimit = 100
/** Few, so that records that are due together share a statement. */
const claimedBatches = 2

/** Reads and writes have separate limits, so that reads cannot delay the record of an attempt that was sent. */
export function createDeliveryRecords(db: Database, batchesLimit: number): DeliveryRecords {
  const write = batchCalls<AttemptRecord, boolean>({
    itemsLimit,
    batchesLimit,
    async run(orgId, attempts) {
      const [rows = []] = await db.batchInOrg(orgId, [writeAttempts(orgId, attempts)])
      return writtenIn(rows)
    },
  })
  const writeClaimed = batchCalls<ClaimedAttempt, boolean>({
    itemsLimit,
    batchesLimit: claimedBatches,
    batchesPerKey: claimedBatches,
    async run(_key, claimed) {
      const attempts = claimed.map(({ attempt }) => attempt)
      const writing = db.batchAcrossOrgs([withoutFlush, writeAttemptsAcrossOrgs(attempts)])
      for (const { onReceived } of claimed) onReceived()
      const [, rows = []] = await writing
      const isWritten = writtenIn(rows)
      return ({ attempt }) => isWritten(attempt)
    },
  })
  return {
    read: batchCalls({ itemsLimit, batchesLimit, run: (orgId, ids: string[]) => readAll(db, orgId, ids) }),
    write: (attempt) => write(attempt.orgId, attempt),
    writeClaimed: (attempt, onReceived) => writeClaimed('', { attempt, onReceived }),
  }
}

interface ClaimedAttempt {
  attempt: AttemptRecord
  onReceived: () => void
}

function writtenIn(rows: readonly Row[]): (attempt: AttemptRecord) => boolean {
  const written = new Set(rows.map((row) => row['deliveryId']))
  return ({ deliveryId }) => written.has(deliveryId)
}

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
