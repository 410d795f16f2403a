import type { z } from 'zod'
import { newId } from '../../../lib/ids.ts'
import type { EventData, EventType, notificationData } from './events.ts'
import type { EventJson, NewEvent } from './record.ts'

/** Every event of every domain is built here, so that its data has the shape that events.ts documents. */
export const buildEvent = <Type extends EventType>(
  eventType: Type,
  { resourceId, createdAt, data }: { resourceId: string; createdAt: Date; data: EventData<Type> },
): NewEvent => ({
  eventId: newId(),
  eventType,
  resourceId,
  sequence: data.sequence,
  data: toEventJson(data),
  createdAt,
})

export type ManualEventData = (EventData<EventType> | z.input<typeof notificationData>) & { test: true }

/** An event that a person sends to test receivers. It has no payment, so its own id is its resource id. */
export function buildManualEvent(eventType: EventType, data: ManualEventData, createdAt: Date): NewEvent {
  const eventId = newId()
  return { eventId, eventType, resourceId: eventId, sequence: 1, data: toEventJson(data), createdAt }
}

// The callers above have typed the data by its schema.
const toEventJson = (data: object): EventJson => JSON.stringify(data) as EventJson
