import type { CompiledQuery } from 'kysely'
import { runStatements, type Database, type Tx } from '../../db/database.ts'
import type { Row } from '../../db/pipeline.ts'
import { outboxChannel } from '../../engine/outbox.ts'
import { fanOut, insertEvents } from './store.ts'
import type { FanOutOptions, NewEvent } from './record.ts'

/**
 * A statement for the transaction that made the events: each endpoint that wants one gets a delivery and the
 * engine a job. After the commit, wakeForDeliveries.
 */
export const publishEvents = (
  orgId: string,
  events: readonly { eventId: string; eventType: string }[],
  options?: FanOutOptions,
): CompiledQuery => fanOut(orgId, events, options)

/** The same with the events themselves. */
export const recordEvents = (
  orgId: string,
  events: readonly NewEvent[],
  options?: FanOutOptions,
): CompiledQuery[] =>
  events.length === 0 ? [] : [insertEvents(orgId, events), publishEvents(orgId, events, options)]

/** Rings the relay only if an endpoint wanted something, so an organisation without endpoints wakes nobody. */
export function wakeForDeliveries(db: Database, results: readonly Row[][]): void {
  if (hasDeliveries(results)) db.wake(outboxChannel)
}

const hasDeliveries = (results: readonly Row[][]): boolean =>
  results.some((rows) => rows.some((row) => 'deliveryId' in row))

/** One event with its deliveries, in a transaction that is not a batch. */
export async function recordEvent(tx: Tx, orgId: string, event: NewEvent): Promise<void> {
  const results = await runStatements(tx, recordEvents(orgId, [event]))
  if (hasDeliveries(results)) tx.notifyAfterCommit(outboxChannel)
}
