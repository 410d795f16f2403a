import { equalInConstantTime, hmac } from '../../lib/crypto/crypto.ts'
import type { ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import { failedWith } from '../kit/failures.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { eventSchema, type Charge, type Refund } from './answers.ts'
import { referenceKey, readObject } from './mapping.ts'

const toleranceMs = 300_000
const signaturesLimit = 16
const readEvents =
  /^(payment_intent\.(succeeded|payment_failed|processing|requires_action|partially_funded|canceled)|checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)|(charge\.)?refund\.(created|updated|failed)|charge\.refunded)$/

export function verifyWebhook(
  secrets: string[],
  request: WebhookRequest,
  now: Date,
): WebhookVerdict<'account'> {
  const header = request.headers['stripe-signature']
  const parts = (typeof header === 'string' ? header : '').split(',').map((part) => part.trim().split('=', 2))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time)) return { kind: 'forged', reason: 'no signature with a time' }
  const signatures = parts.filter(([name]) => name === 'v1').slice(0, signaturesLimit)
  const signed = Buffer.concat([Buffer.from(`${time}.`), request.rawBody])
  const isGenuine = secrets.some((secret) => {
    const expected = Buffer.from(hmac(Buffer.from(secret), signed).toString('hex'))
    return signatures.some(([, value]) => equalInConstantTime(Buffer.from(value ?? ''), expected))
  })
  if (!isGenuine) return { kind: 'forged', reason: 'wrong signature' }
  const isInTime = Math.abs(now.getTime() - Number(time) * 1_000) <= toleranceMs
  return isInTime ? { kind: 'verified' } : { kind: 'forged', reason: 'outside the time window' }
}

/** An object without our metadata belongs to another program in the same account, or is a refund that we did not make. */
export function readWebhook(rawBody: Buffer): ProviderUpdate[] {
  const event = parseAnswer(rawBody.toString('utf8'), eventSchema)
  if (event === undefined || !readEvents.test(event.type)) return []
  const { object } = event.data
  if (object.object === 'charge') return chargeUpdates(event.id, object)
  const seen = readObject(object, new Date(event.created * 1_000))
  const { reference, providerRef, providerStatus, amount, nextAction } = seen
  if (object.object === 'refund' && reference === null) return [foreignRefund(event.id, seen, object)]
  if (reference === null || seen.isBehindPage) return []
  const hasFailed = event.type === 'checkout.session.async_payment_failed'
  const state = hasFailed ? failedWith('UNSPECIFIED') : seen.state
  const update = { dedupeKey: event.id, reference, providerRef, providerStatus, state, nextAction }
  const moved = state.state === 'completed' ? amount : undefined
  return [{ ...update, subject: object.object === 'refund' ? 'refund' : 'attempt', amount: moved }]
}

/** A charge was refunded, by us or in the dashboard. Only the list of refunds shows which refund it was. */
function chargeUpdates(dedupeKey: string, charge: Charge): ProviderUpdate[] {
  const reference = charge.metadata?.[referenceKey]
  if (reference === undefined) return []
  const refundOf = { reference, providerRef: charge.payment_intent ?? null, refundId: null }
  const seen = { providerRef: charge.id, providerStatus: 'refunded', state: { state: 'completed' } } as const
  return [{ dedupeKey, reference, subject: 'refund', ...seen, refundOf }]
}

/** Somebody made it in the dashboard, of a payment of ours or of another program in the account. */
function foreignRefund(
  dedupeKey: string,
  seen: ReturnType<typeof readObject>,
  refund: Refund,
): ProviderUpdate {
  const { providerRef, providerStatus, state, amount } = seen
  return {
    dedupeKey,
    reference: providerRef,
    subject: 'refund',
    providerRef,
    providerStatus,
    state,
    amount,
    refundOf: { reference: null, providerRef: refund.payment_intent ?? null, refundId: providerRef },
    isPerhapsForeign: true,
  }
}
