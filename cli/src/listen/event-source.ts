import type { EventRecord } from '@switchyard/sdk'
import type { Session } from '../session.ts'
import { follow } from './follow.ts'

const pageRows = 100

/** Yields the organisation's events from a given time on, each of them once. */
export const followEvents = (
  { client, io }: Session,
  since: Date,
  options: { eventType?: string | undefined; pollMs?: number } = {},
): AsyncGenerator<EventRecord, void> =>
  follow<EventRecord>(io, {
    since,
    ...(options.pollMs !== undefined && { pollMs: options.pollMs }),
    idOf: (event) => event.event_id,
    read: (from) =>
      client.events.list({
        since: from,
        limit: pageRows,
        // The server refuses a type that it does not know.
        ...(options.eventType !== undefined && { event_type: options.eventType as 'payment.completed' }),
      }),
  })

/** The time of day in this machine's time zone. */
export const clockTime = (at: string | Date): string => new Date(at).toTimeString().slice(0, 8)

/** The first 13 characters of an id are a timestamp in milliseconds; fewer would not distinguish payments. */
const shortLength = 13

export const shortId = (id: string): string => id.slice(0, shortLength)
