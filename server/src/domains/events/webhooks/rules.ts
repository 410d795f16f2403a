import { randomBytes } from 'node:crypto'
import { hmac } from '../../../lib/crypto/crypto.ts'
import type { SigningSecrets, StoredEvent } from './record.ts'

/** The name of the engine's service for endpoints, which outbox rows carry. */
export const webhookServiceName = 'Webhooks'

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

/** The delay before the next attempt after `attempts` failures; undefined when no attempt is left. */
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

/** The vault binds a sealed secret to its endpoint by this context. */
export const secretContext = (webhookId: string): string => `webhook ${webhookId}`

/** The format of Standard Webhooks: the HMAC key is the decoded base64 after the prefix. */
export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

interface Signable {
  eventId: string
  body: string
  attempt: number
  at: Date
}

/** Every request carries both styles: the hex digest of the API specification and the headers of Standard Webhooks. */
export function signatureHeaders(
  secrets: SigningSecrets,
  { eventId, body, attempt, at }: Signable,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const keys = keysOf(secrets)
  const standard = keys.standard.map(
    (key) => `v1,${hmac(key, `${eventId}.${timestamp}.${body}`).toString('base64')}`,
  )
  return {
    'x-service-signature': hmac(keys.service, body).toString('hex'),
    'x-service-event-id': eventId,
    'x-service-timestamp': timestamp,
    'x-service-attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

interface SigningKeys {
  service: Buffer
  standard: Buffer[]
}

const keysBySecrets = new WeakMap<SigningSecrets, SigningKeys>()

/** Made once for the secrets of many deliveries, because that takes longer than a signature. */
function keysOf(secrets: SigningSecrets): SigningKeys {
  const known = keysBySecrets.get(secrets)
  if (known) return known
  const standard = [secrets.current, secrets.previous]
    .filter((secret) => secret !== undefined)
    .map((secret) => Buffer.from(secret.slice(secretPrefix.length), 'base64'))
  const keys = { service: Buffer.from(secrets.current), standard }
  keysBySecrets.set(secrets, keys)
  return keys
}

/** The bytes that are signed and sent. They hold stored values only, so that every attempt sends the same bytes. */
export const eventBody = (event: StoredEvent): string =>
  `{"event_id":${JSON.stringify(event.eventId)},"event_type":${JSON.stringify(event.eventType)},` +
  `"org_id":${JSON.stringify(event.orgId)},"created_at":${JSON.stringify(event.createdAt.toISOString())},"data":${event.data}}`
