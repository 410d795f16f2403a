import { nodeCrypto } from './node-crypto.ts'

export interface WebhookEvent {
  event_id: string
  event_type: string
  org_id: string
  created_at: string
  data: Record<string, unknown>
}

export interface VerifyOptions {
  /** How far the timestamp may be in the past or the future. */
  toleranceSeconds?: number
  now?: Date
}

/** The headers of a Node request, or a `Headers` object. */
export type WebhookHeaders =
  | Readonly<Record<string, string | string[] | undefined>>
  | { get(name: string): string | null }

/** The headers of a delivery's first attempt. */
export type SignatureHeaders = Record<
  | 'content-type'
  | 'x-service-signature'
  | 'x-service-event-id'
  | 'x-service-timestamp'
  | 'x-service-attempt'
  | 'webhook-id'
  | 'webhook-timestamp'
  | 'webhook-signature',
  string
>

/** Thrown if a request is not a genuine and recent delivery. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const defaultToleranceSeconds = 300
const secretPrefix = 'whsec_'

/**
 * Verifies a delivery and returns its event. Pass the raw bytes of the body: parsing and re-serialising JSON
 * changes them. This checks the Standard Webhooks signature, which also covers the id and the timestamp.
 */
export const verifyWebhook = (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): WebhookEvent => parseEvent(verifiedBody(rawBody, headers, secret, options))

/** Returns the text of a genuine delivery, signed with any of the secrets. */
export function verifiedBody(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions,
): string {
  const body = bytesOf(rawBody)
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const signatures = required(headers, 'webhook-signature')
  assertRecent(timestamp, options)
  const given = signatures
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => fromBase64(entry.slice('v1,'.length)))
  const isGenuine = [secrets].flat().some((secret) => {
    const expected = standardDigest(secret, `${id}.${timestamp}.`, body)
    return given.some((signature) => isEqual(signature, expected))
  })
  if (!isGenuine) throw new WebhookVerificationError('the signature does not match')
  return new TextDecoder().decode(body)
}

/**
 * Does the same with `X-Service-Signature`, which covers only the body: a replayed delivery passes, so
 * deduplicate by `event_id`. During a rotation, only the new secret is used for this signature.
 */
export function verifyServiceSignature(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  const body = bytesOf(rawBody)
  const signature = fromHex(required(headers, 'x-service-signature'))
  if (!isEqual(signature, serviceDigest(secret, body)))
    throw new WebhookVerificationError('the signature does not match')
  return parseEvent(new TextDecoder().decode(body))
}

/** Returns the headers with which the server would send this body. */
export function signWebhook(id: string, rawBody: string, secret: string, at: Date): SignatureHeaders {
  const body = bytesOf(rawBody)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const standard = standardDigest(secret, `${id}.${timestamp}.`, body)
  return {
    'content-type': 'application/json',
    'x-service-signature': toHex(serviceDigest(secret, body)),
    'x-service-event-id': id,
    'x-service-timestamp': timestamp,
    'x-service-attempt': '1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  }
}

const standardDigest = (secret: string, prefix: string, body: Uint8Array): Uint8Array =>
  nodeCrypto().createHmac('sha256', standardKey(secret)).update(prefix).update(body).digest()

const serviceDigest = (secret: string, body: Uint8Array): Uint8Array =>
  nodeCrypto().createHmac('sha256', secret).update(body).digest()

function assertRecent(timestamp: string, options: VerifyOptions): void {
  const nowSeconds = (options.now ?? new Date()).getTime() / 1000
  const distanceSeconds = /^\d+$/.test(timestamp) ? Math.abs(nowSeconds - Number(timestamp)) : Infinity
  if (distanceSeconds > (options.toleranceSeconds ?? defaultToleranceSeconds))
    throw new WebhookVerificationError('the timestamp is too far from now')
}

function standardKey(secret: string): Uint8Array {
  const key = fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  if (key.length === 0) throw new TypeError('the secret is empty or not in base64')
  return key
}

const isEqual = (given: Uint8Array, expected: Uint8Array): boolean =>
  given.length === expected.length && nodeCrypto().timingSafeEqual(given, expected)

const parseEvent = (body: string): WebhookEvent => JSON.parse(body) as WebhookEvent // the signature proves that Switchyard made it

const bytesOf = (raw: string | Uint8Array): Uint8Array =>
  typeof raw === 'string' ? new TextEncoder().encode(raw) : raw

/** Empty if the text is not base64, so that it matches no digest. */
function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const fromHex = (text: string): Uint8Array =>
  /^(?:[0-9a-f]{2})*$/i.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : new Uint8Array()

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

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
