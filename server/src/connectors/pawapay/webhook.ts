import type { ConnectorContext, ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import { fitsDigest, isSignedWith, readSignature, type MessageSignature } from '../kit/http-signature.ts'
import type { KeyCache } from '../kit/key-cache.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { callbackSchema } from './answers.ts'
import type { PawapayCredentials } from './credentials.ts'
import { updateOf } from './mapping.ts'

const clockSkewMs = 60_000
const mustBeSigned = ['@method', '@authority', '@path', 'content-digest']

export interface CallbackContext extends Pick<ConnectorContext<PawapayCredentials>, 'credentials' | 'clock'> {
  findKey: (keyId: string) => ReturnType<KeyCache>
}

export async function verifyCallback(
  { credentials, clock, findKey }: CallbackContext,
  request: WebhookRequest,
): Promise<WebhookVerdict<'provider'>> {
  if (credentials.callbacks === 'unsigned') return { kind: 'unsigned' }
  const signature = readSignature(request, 'sig-pp')
  if (!signature) return forged('no readable signature')
  if (!mustBeSigned.every((name) => signature.components.includes(name)))
    return forged('signs too few components')
  const nowMs = clock.now().getTime()
  if (!isInTime(signature, nowMs, credentials.callbackMaxAgeMs)) return forged('not made now')
  if (!fitsDigest(request)) return forged('the body does not fit its digest')
  const key = await findKey(signature.keyId)
  // Without the keys a genuine callback cannot be verified, so it only triggers an inquiry.
  if (key === 'unreachable') return { kind: 'unsigned' }
  if (key === 'unknown') return forged('unknown key')
  return isSignedWith(request, signature, key) ? { kind: 'provider' } : forged('wrong signature')
}

export function readCallback(rawBody: Buffer): ProviderUpdate[] {
  const callback = parseAnswer(rawBody.toString('utf8'), callbackSchema)
  return callback ? [updateOf(callback)] : []
}

function isInTime({ createdAtMs, expiresAtMs }: MessageSignature, nowMs: number, maxAgeMs: number): boolean {
  const isNotEarly = createdAtMs <= nowMs + clockSkewMs
  return isNotEarly && nowMs <= expiresAtMs + clockSkewMs && nowMs - createdAtMs <= maxAgeMs
}

const forged = (reason: string): WebhookVerdict<'provider'> => ({ kind: 'forged', reason })
