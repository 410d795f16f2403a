import type { EventRecord } from '@switchyard/sdk'
import type { Session } from '../session.ts'
import { follow } from './follow.ts'

const pageRows = 100

/** The events of the organisation from a time on, each once. */
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

/** The time of day on this machine. */
export const clockTime = (at: string | Date): string => new Date(at).toTimeString().slice(0, 8)

export const shortId = (id: string): string => id.slice(0, 8)
