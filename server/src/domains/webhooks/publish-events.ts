import type { CompiledQuery } from 'kysely'
import type { Database, Row } from '../../db/database.ts'
import { outboxChannel } from '../../engine/outbox.ts'
import { fanOut } from './store.ts'

/**
 * A statement for the transaction that made the events: each endpoint that wants one gets a delivery and the
 * engine a job. After the commit, wakeForDeliveries.
 */
export const publishEvents = (
  orgId: string,
  events: readonly { eventId: string; eventType: string }[],
): CompiledQuery => fanOut(orgId, events)

/** The same for one endpoint: a replay, a recovery, a test. */
export const publishTo = (
  orgId: string,
  webhookId: string,
  events: readonly { eventId: string; eventType: string }[],
): CompiledQuery => fanOut(orgId, events, { webhookId })

/** Rings the relay only if an endpoint wanted something, so an organisation without endpoints wakes nobody. */
export function wakeForDeliveries(db: Database, results: readonly Row[][]): void {
  if (results.some((rows) => rows.some((row) => 'deliveryId' in row))) db.wake(outboxChannel)
}
