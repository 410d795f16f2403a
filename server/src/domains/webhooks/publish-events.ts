import type { CompiledQuery } from 'kysely'
import type { Database, Row, Tx } from '../../db/database.ts'
import { outboxChannel } from '../../engine/outbox.ts'
import { fanOut, insertEvent } from './store.ts'
import type { FanOutOptions, NewEvent } from './webhook-record.ts'

/**
 * A statement for the transaction that made the events: each endpoint that wants one gets a delivery and the
 * engine a job. After the commit, wakeForDeliveries.
 */
export const publishEvents = (
  orgId: string,
  events: readonly { eventId: string; eventType: string }[],
  options?: FanOutOptions,
): CompiledQuery => fanOut(orgId, events, options)

/** Rings the relay only if an endpoint wanted something, so an organisation without endpoints wakes nobody. */
export function wakeForDeliveries(db: Database, results: readonly Row[][]): void {
  if (results.some((rows) => rows.some((row) => 'deliveryId' in row))) db.wake(outboxChannel)
}

/** One event with its deliveries, in a transaction that is not a batch. */
export async function recordEvent(tx: Tx, orgId: string, event: NewEvent): Promise<void> {
  if (await insertEvent(tx, orgId, event)) tx.notifyAfterCommit(outboxChannel)
}
