import type { CompiledQuery, RawBuilder } from 'kysely'
import { runStatements, type Database, type Tx } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/db/pipeline.ts'
import { localChannel } from '../../../kernel/engine/outbox.ts'
import type { EventType } from './events.ts'
import { fanOut, insertEventFrom, insertEvents } from './store.ts'
import type { EventFromRow, FanOutOptions, NewEvent } from './record.ts'

/**
 * A statement for the transaction that inserts the events: each subscribed endpoint gets a delivery, and the engine a
 * job. Call wakeForDeliveries after the commit.
 */
export const publishEvents = (
  orgId: string,
  events: readonly { eventId: string; eventType: string }[],
  options?: FanOutOptions,
): CompiledQuery => fanOut(orgId, events, options)

/** Statements that insert events and publish them. */
export const recordEvents = (
  orgId: string,
  events: readonly NewEvent[],
  options?: FanOutOptions,
): CompiledQuery[] =>
  events.length === 0 ? [] : [insertEvents(orgId, events), publishEvents(orgId, events, options)]

/** SQL for a common table expression that inserts one event from the row of another. It does not publish the event. */
export const insertEventFromRow = <Type extends EventType>(
  orgId: string,
  rows: string,
  event: EventFromRow<Type>,
): RawBuilder<unknown> => insertEventFrom(orgId, rows, event)

/** Wakes the relay only if a delivery was created, so that an organisation without endpoints costs it nothing. */
export function wakeForDeliveries(db: Database, results: readonly Row[][]): void {
  if (hasDeliveries(results)) db.wake(localChannel)
}

const hasDeliveries = (results: readonly Row[][]): boolean =>
  results.some((rows) => rows.some((row) => 'deliveryId' in row))

/** Inserts and publishes one event in an interactive transaction. */
export async function recordEvent(tx: Tx, orgId: string, event: NewEvent): Promise<void> {
  const results = await runStatements(tx, recordEvents(orgId, [event]))
  if (hasDeliveries(results)) tx.notifyAfterCommit(localChannel)
}
