import { createHmac, timingSafeEqual } from 'node:crypto'

export interface WebhookEvent {
  event_id: string
  event_type: string
  org_id: string
  created_at: string
  data: Record<string, unknown>
}

export interface VerifyOptions {
  /** How far in the past or the future the timestamp can be. */
  toleranceSeconds?: number
  now?: Date
}

/** The headers of a Node request, or the `Headers` of a fetch handler. */
export type WebhookHeaders =
  Readonly<Record<string, string | string[] | undefined>> | { get(name: string): string | null }

/** Thrown if a request is not a genuine, recent delivery. Respond to it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const defaultToleranceSeconds = 300
const secretPrefix = 'whsec_'

/**
 * Verifies a delivery and returns its event. Pass the raw bytes of the body: parsing and re-serialising JSON
 * changes them. This checks the Standard Webhooks signature, which also covers the id and the timestamp.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): WebhookEvent {
  const body = Buffer.from(rawBody)
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const signatures = required(headers, 'webhook-signature')
  assertRecent(timestamp, options)
  const expected = createHmac('sha256', standardKey(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest()
  const isGenuine = signatures
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .some((entry) => isEqual(Buffer.from(entry.slice('v1,'.length), 'base64'), expected))
  if (!isGenuine) throw new WebhookVerificationError('the signature does not match')
  return parseEvent(body)
}

/**
 * Does the same with `X-Service-Signature`, which covers only the body: a replayed delivery passes, so
 * deduplicate by `event_id`. During a rotation this signature is made with the new secret only.
 */
export function verifyServiceSignature(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  const body = Buffer.from(rawBody)
  const signature = Buffer.from(required(headers, 'x-service-signature'), 'hex')
  if (!isEqual(signature, createHmac('sha256', secret).update(body).digest()))
    throw new WebhookVerificationError('the signature does not match')
  return parseEvent(body)
}

function assertRecent(timestamp: string, options: VerifyOptions): void {
  const nowSeconds = (options.now ?? new Date()).getTime() / 1000
  const distanceSeconds = /^\d+$/.test(timestamp) ? Math.abs(nowSeconds - Number(timestamp)) : Infinity
  if (distanceSeconds > (options.toleranceSeconds ?? defaultToleranceSeconds))
    throw new WebhookVerificationError('the timestamp is too far from now')
}

function standardKey(secret: string): Buffer {
  const key = Buffer.from(
    secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret,
    'base64',
  )
  if (key.length === 0) throw new TypeError('the secret is empty')
  return key
}

const isEqual = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)

const parseEvent = (body: Buffer): WebhookEvent => JSON.parse(body.toString('utf8')) as WebhookEvent // the signature proves that Switchyard made it

function required(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : valueOf(headers, name)
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`there is no ${name} header`)
  return value
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  'get' in headers && typeof headers.get === 'function'

const valueOf = (headers: Readonly<Record<string, unknown>>, name: string): unknown =>
  headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
