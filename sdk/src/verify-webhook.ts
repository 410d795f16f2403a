import { createHmac, timingSafeEqual } from 'node:crypto'

export interface WebhookEvent {
  event_id: string
  event_type: string
  org_id: string
  created_at: string
  data: Record<string, unknown>
}

export interface VerifyOptions {
  /** How old or how far ahead a timestamp may be. */
  toleranceSeconds?: number
  now?: Date
}

export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Thrown for anything that is not a genuine, recent delivery. Answer such a request with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const defaultToleranceSeconds = 300
const secretPrefix = 'whsec_'

/**
 * Checks a delivery and returns its event. Give it the raw bytes of the body: parsing and printing JSON again
 * changes them. Uses the Standard Webhooks signature where it is present, else X-Service-Signature; with both,
 * either proves the body, and the timestamp is checked in any case.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): WebhookEvent {
  const body = Buffer.from(rawBody)
  assertRecent(header(headers, 'webhook-timestamp') ?? header(headers, 'x-service-timestamp'), options)
  if (!hasStandardSignature(body, headers, secret) && !hasServiceSignature(body, headers, secret))
    throw new WebhookVerificationError('the signature does not match')
  return JSON.parse(body.toString('utf8')) as WebhookEvent // proven to be made by Switchyard
}

function assertRecent(timestamp: string | undefined, options: VerifyOptions): void {
  const seconds = Number(timestamp)
  if (timestamp === undefined || !Number.isInteger(seconds)) throw new WebhookVerificationError('there is no timestamp')
  const nowSeconds = (options.now ?? new Date()).getTime() / 1000
  if (Math.abs(nowSeconds - seconds) > (options.toleranceSeconds ?? defaultToleranceSeconds))
    throw new WebhookVerificationError('the timestamp is too far from now')
}

/** Covers id, timestamp and body; several signatures may stand side by side while a secret is changed. */
function hasStandardSignature(body: Buffer, headers: WebhookHeaders, secret: string): boolean {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  if (id === undefined || timestamp === undefined || signatures === undefined) return false
  const key = Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .some((entry) => isEqual(Buffer.from(entry.slice('v1,'.length), 'base64'), expected))
}

function hasServiceSignature(body: Buffer, headers: WebhookHeaders, secret: string): boolean {
  const signature = header(headers, 'x-service-signature')
  if (signature === undefined) return false
  return isEqual(Buffer.from(signature, 'hex'), createHmac('sha256', secret).update(body).digest())
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

function header(headers: WebhookHeaders, name: string): string | undefined {
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  const value = entry?.[1]
  return Array.isArray(value) ? value[0] : value
}
