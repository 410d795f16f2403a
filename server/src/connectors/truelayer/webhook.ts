import type { ConnectorContext, ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import { createKeyCache } from '../kit/key-cache.ts'
import { readJwks } from '../kit/jwks.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { eventSchema } from './answers.ts'
import type { TruelayerCredentials } from './credentials.ts'
import { stateOf } from './mapping.ts'
import { isSignedWith, readSignature } from './signature.ts'

const timestampHeader = 'x-tl-webhook-timestamp'
const findKey = createKeyCache()

type Context = ConnectorContext<TruelayerCredentials>

const forged = (reason: string): WebhookVerdict<'provider'> => ({ kind: 'forged', reason })

const headerOf = ({ headers }: WebhookRequest, name: string): string => {
  const value = headers[name.toLowerCase()]
  return typeof value === 'string' ? value : ''
}

/** Keys are fetched from the configured address; the address in a webhook is only compared with it. */
export async function verifyWebhook(
  context: Context,
  request: WebhookRequest,
): Promise<WebhookVerdict<'provider'>> {
  const { credentials, clock } = context
  const signature = readSignature(headerOf(request, 'tl-signature'))
  if (!signature) return forged('no readable signature')
  if (signature.jku !== undefined && signature.jku !== credentials.jwksUrl)
    return forged('keys of somebody else')
  const { headerNames } = signature
  if (!headerNames.some((name) => name.toLowerCase() === timestampHeader)) return forged('signs no time')
  const nowMs = clock.now().getTime()
  const ageMs = nowMs - Date.parse(headerOf(request, timestampHeader))
  if (!(Math.abs(ageMs) <= credentials.webhookMaxAgeMs)) return forged('not sent now')
  const source = { name: credentials.jwksUrl, nowMs, fetch: () => fetchKeys(context) }
  const key = await findKey(source, signature.keyId)
  // Without the keys a genuine webhook cannot be verified, so it only triggers an inquiry.
  if (key === 'unreachable') return { kind: 'unsigned' }
  if (key === 'unknown') return forged('unknown key')
  const headers = headerNames.map((name) => [name, headerOf(request, name)] as const)
  const path = new URL(request.url).pathname
  const signed = { method: request.method, path, headers, body: request.rawBody }
  return isSignedWith(signed, signature, key) ? { kind: 'provider' } : forged('wrong signature')
}

async function fetchKeys({ http, credentials }: Context) {
  const result = await http({ method: 'GET', url: credentials.jwksUrl })
  return result.kind === 'answered' && result.status === 200 ? readJwks(result.body) : undefined
}

const news = /^(payment|payout|refund)_(authorized|executed|settled|failed|reversed)$/

/** Converts an event to the form of a lookup. Other events without our metadata belong to another program. */
export function readWebhook(rawBody: Buffer): ProviderUpdate[] {
  const event = parseAnswer(rawBody.toString('utf8'), eventSchema)
  const [, kind, providerStatus] = news.exec(event?.type ?? '') ?? []
  if (!event || !kind || !providerStatus) return []
  const reference = event.metadata?.reference ?? (kind === 'refund' ? event.refund_id : undefined)
  if (!reference) return []
  const providerRef = event.refund_id ?? event.payout_id ?? event.payment_id ?? null
  const state = stateOf(kind === 'payment' ? 'payin' : 'payout', providerStatus, event.failure_reason)
  const subject = kind === 'refund' ? 'refund' : 'attempt'
  const update = {
    dedupeKey: event.event_id,
    reference,
    subject,
    providerRef,
    providerStatus,
    state,
  } as const
  if (kind !== 'refund') return [update]
  // The event has no amount, so a refund that we did not make is looked up. Another program may have made it.
  const refundOf = {
    reference: null,
    providerRef: event.payment_id ?? null,
    refundId: event.refund_id ?? null,
  }
  return [{ ...update, refundOf, ...(!event.metadata?.reference && { isPerhapsForeign: true }) }]
}
