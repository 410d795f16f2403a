import { readJson, readUnknownJson, writeJson, type DecimalPaths } from './decimal-json.ts'
import { eventDecimals, type KnownEvent } from './generated/events.ts'
import { WebhooksResource } from './generated/resources.ts'
import {
  signWebhook,
  verifiedBody,
  type SignatureHeaders,
  type VerifyOptions,
  type WebhookHeaders,
} from './verify-webhook.ts'

const unknownType = 'unknown'

/** An event whose type is newer than this version of the SDK. Fractional numbers are text. */
export interface UnknownEvent {
  event_id: string
  /** A distinct literal, so that TypeScript can narrow the other events by their type. */
  event_type: typeof unknownType
  /** The type that was sent. */
  original_type: string
  org_id: string
  created_at: string
  data: Record<string, unknown>
}

export type SwitchyardEvent = KnownEvent | UnknownEvent

/**
 * Verifies a delivery and returns its event, with decimals as text. Pass the raw body: parsing and re-serialising
 * JSON changes it. During the rotation of a secret, pass both secrets.
 */
export function constructEvent(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): SwitchyardEvent {
  const text = verifiedBody(rawBody, headers, secrets, options)
  const read = (decimals: DecimalPaths | undefined): KnownEvent =>
    (decimals ? readJson(text, decimals) : readUnknownJson(text)) as KnownEvent // the signature proves that Switchyard made it
  const { event_type: eventType } = read([])
  if (Object.hasOwn(eventDecimals, eventType)) return read(eventDecimals[eventType])
  const { event_id, org_id, created_at, data } = read(undefined)
  const unknown = { event_id, event_type: unknownType, original_type: eventType, org_id, created_at } as const
  return { ...unknown, data: data as unknown as Record<string, unknown> } // its shape is not known
}

/** Creates an event for a test, with defaults for the fields that are left out. */
export interface TestEvent {
  event_type: string
  data: object
  event_id?: string
  org_id?: string
  created_at?: string
}

const noOrg = '00000000-0000-0000-0000-000000000000'

/** Creates a delivery as the server would send it, to test a receiver. */
export function signTestWebhook(
  event: TestEvent,
  secret: string,
  options: { at?: Date } = {},
): { body: string; headers: SignatureHeaders } {
  const { at = new Date() } = options
  const whole = {
    event_id: event.event_id ?? crypto.randomUUID(),
    event_type: event.event_type,
    org_id: event.org_id ?? noOrg,
    created_at: event.created_at ?? at.toISOString(),
    data: event.data,
  }
  const body = writeJson(whole, eventDecimals[event.event_type] ?? [])
  return { body, headers: signWebhook(whole.event_id, body, secret, at) }
}

export class Webhooks extends WebhooksResource {
  readonly constructEvent = constructEvent
  readonly signTestWebhook = signTestWebhook
}
