import type pg from 'pg'
import { dataVariants, eventTypes, type EventType } from '../../src/domains/events/webhooks/events.ts'
import { rawNumber } from '../../src/lib/text/json.ts'

interface StoredData {
  eventType: string
  data: string
}

/** Stored events whose bytes differ from what the schema of their type writes; an empty list is right. */
export async function findUndescribedEvents(owner: pg.Pool): Promise<string[]> {
  const { rows } = await owner.query<StoredData>(
    'select distinct event_type as "eventType", data from events',
  )
  return rows.filter((row) => !isDescribed(row)).map(({ eventType, data }) => `${eventType}: ${data}`)
}

/** What tests insert where only the number of events matters. */
const placeholder = '{"test":true}'

export function isDescribed({ eventType, data }: StoredData): boolean {
  if (!isEventType(eventType)) return false
  if (data === placeholder) return true
  const value: unknown = JSON.parse(data, keepDigits)
  // Zod leaves unknown fields out and writes the others in the schema's order, so any difference changes the text.
  return dataVariants(eventType).some((schema) => JSON.stringify(schema.safeParse(value).data) === data)
}

const isEventType = (text: string): text is EventType => eventTypes.some((eventType) => eventType === text)

/** Decimals are raw numbers in the schemas; whole numbers are not. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && /[.eE]/.test(context.source)
    ? rawNumber(context.source)
    : value
