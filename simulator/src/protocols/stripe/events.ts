import { createHash, createHmac } from 'node:crypto'
import type { Transaction, TransactionState } from '../../core/transaction.ts'
import type { Kit, UnsignedWebhook, WebhookDraft } from '../../protocol.ts'
import { minorOf, paymentDetailsOf, refundDetailsOf, secondsOf } from './details.ts'
import { isSession } from './ids.ts'
import { presentCharge, presentIntent, presentRefund, presentSession } from './present.ts'
import { refundedMinorOf } from './refunds.ts'

/** The API version of the objects in events. */
export const EVENT_API_VERSION = '2026-10-28.endive'

/** The state of an event that is sent by hand. */
const STATE_OF_EVENT: Readonly<Record<string, TransactionState>> = {
  'checkout.session.completed': 'completed',
  'checkout.session.async_payment_succeeded': 'completed',
  'checkout.session.async_payment_failed': 'failed',
  'checkout.session.expired': 'canceled',
  'payment_intent.succeeded': 'completed',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.processing': 'pending',
  'payment_intent.canceled': 'canceled',
}

export function webhooksFor(kit: Kit, transaction: Transaction, event?: string): WebhookDraft[] {
  if (event === undefined) return eventsOf(transaction).map((name) => draftOf(kit, transaction, name))
  return [draftOf(kit, { ...transaction, state: STATE_OF_EVENT[event] ?? transaction.state }, event)]
}

/** Every secret whose name begins with `webhook_secret` signs, as during a rotation. */
export function signWebhook({ account, body, at }: UnsignedWebhook): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1_000)
  const signatures = Object.entries(account.secrets)
    .filter(([name]) => name.startsWith('webhook_secret'))
    .map(([, secret]) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  return { 'stripe-signature': [`t=${seconds}`, ...signatures.map((value) => `v1=${value}`)].join(',') }
}

function eventsOf(transaction: Transaction): readonly string[] {
  if (transaction.operation === 'refund') return refundEventsOf(transaction.state)
  return isSession(transaction) ? sessionEventsOf(transaction) : intentEventsOf(transaction)
}

function intentEventsOf(transaction: Transaction): readonly string[] {
  switch (transaction.state) {
    case 'pending':
      return ['payment_intent.processing']
    case 'action_required': {
      const isFunded = (paymentDetailsOf(transaction).receivedMinor ?? 0) > 0
      return [isFunded ? 'payment_intent.partially_funded' : 'payment_intent.requires_action']
    }
    case 'completed':
      return ['payment_intent.succeeded']
    case 'failed':
      return ['payment_intent.payment_failed']
    case 'canceled':
      return ['payment_intent.canceled']
    case 'reversed':
      return ['charge.refunded']
  }
}

function sessionEventsOf(transaction: Transaction): readonly string[] {
  const { isAsync, isAuthenticating } = paymentDetailsOf(transaction)
  switch (transaction.state) {
    case 'pending':
      return ['payment_intent.processing', 'checkout.session.completed']
    case 'action_required':
      return [isAuthenticating === true ? 'payment_intent.requires_action' : 'payment_intent.payment_failed']
    case 'completed':
      return [
        'payment_intent.succeeded',
        isAsync === true ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed',
      ]
    case 'failed':
      return ['payment_intent.payment_failed', 'checkout.session.async_payment_failed']
    case 'canceled':
      return ['checkout.session.expired']
    case 'reversed':
      return ['charge.refunded']
  }
}

function refundEventsOf(state: TransactionState): readonly string[] {
  return state === 'completed' ? ['charge.refunded', 'refund.updated'] : ['refund.updated']
}

function draftOf(kit: Kit, transaction: Transaction, name: string): WebhookDraft {
  const object = objectOf(kit, transaction, name)
  const body = JSON.stringify({
    id: eventIdOf(transaction, name),
    object: 'event',
    api_version: EVENT_API_VERSION,
    created: secondsOf(transaction.updatedAt),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: transaction.reference },
    type: name,
  })
  return { event: name, body, contentType: 'application/json; charset=utf-8' }
}

function objectOf(kit: Kit, transaction: Transaction, name: string): unknown {
  if (name.startsWith('checkout.session.')) return presentSession(kit, transaction)
  if (name.startsWith('refund.')) return presentRefund(transaction)
  if (!name.startsWith('charge.')) return presentIntent(kit, transaction)
  if (transaction.operation !== 'refund') return presentCharge(transaction, minorOf(transaction))
  const { payment: reference } = refundDetailsOf(transaction)
  const { account } = transaction
  const payment = kit.transactions.find({ account, operation: 'collect', reference })
  return payment === undefined ? null : presentCharge(payment, refundedMinorOf(kit, payment))
}

/** A repeated event has the same id; every change has a new one. */
function eventIdOf(transaction: Transaction, name: string): string {
  const text = JSON.stringify([name, transaction])
  return `evt_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
}
