import { randomBytes } from 'node:crypto'
import { hmac } from '../../lib/crypto.ts'

/** Under which the engine and the outbox know endpoints. */
export const webhookServiceName = 'Webhooks'

export const eventTypes = [
  'payment.completed',
  'payment.failed',
  'payment.processing',
  'virtual_account.deposit',
  'virtual_account.withdrawal',
  'kyb.approved',
  'kyb.rejected',
  'transaction.updated',
  'escrow.milestone_updated',
  'escrow.disbursement_failed',
] as const
export type EventType = (typeof eventTypes)[number]

const minute = 60_000
const hour = 60 * minute

/** The delay before each attempt; after the last one the delivery is dead-lettered. */
export const deliveryScheduleMs: readonly number[] = [
  0,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
]
const firstJitteredAttempt = 4
const jitterShare = 0.1

/** When to try again after `attempts` failures; undefined when all are used up. */
export function nextDelayMs(
  schedule: readonly number[],
  attempts: number,
  chance: number,
): number | undefined {
  const delay = schedule[attempts]
  if (delay === undefined) return undefined
  return attempts < firstJitteredAttempt ? delay : Math.round(delay * (1 + jitterShare * chance))
}

export const disableAfterMs = 5 * 24 * hour
export const secretOverlapMs = 24 * hour

const secretPrefix = 'whsec_'

/** In the form that Standard Webhooks libraries take: the HMAC key is the bytes behind the prefix. */
export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

export interface SigningSecrets {
  current: string
  /** Still signs while receivers change over. */
  previous: string | undefined
}

export interface Signable {
  eventId: string
  body: string
  attempt: number
  at: Date
}

/** Both styles, always: the specification's hex digest, and the Standard Webhooks trio. */
export function signatureHeaders(
  secrets: SigningSecrets,
  { eventId, body, attempt, at }: Signable,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const standard = [secrets.current, secrets.previous]
    .filter((secret) => secret !== undefined)
    .map((secret) => `v1,${hmac(standardKey(secret), `${eventId}.${timestamp}.${body}`).toString('base64')}`)
  return {
    'x-service-signature': hmac(Buffer.from(secrets.current), body).toString('hex'),
    'x-service-event-id': eventId,
    'x-service-timestamp': timestamp,
    'x-service-attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

const standardKey = (secret: string): Buffer => Buffer.from(secret.slice(secretPrefix.length), 'base64')

export interface StoredEvent {
  eventId: string
  eventType: string
  orgId: string
  createdAt: Date
  /** JSON text as it was made with the event. */
  data: string
}

/** The bytes that are signed and sent, the same on every attempt because nothing in them is made anew. */
export const eventBody = (event: StoredEvent): string =>
  `{"event_id":${JSON.stringify(event.eventId)},"event_type":${JSON.stringify(event.eventType)},` +
  `"org_id":${JSON.stringify(event.orgId)},"created_at":${JSON.stringify(event.createdAt.toISOString())},"data":${event.data}}`
