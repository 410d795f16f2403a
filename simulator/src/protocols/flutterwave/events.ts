import type { Transaction } from '../../core/transaction.ts'
import type { WebhookDraft } from '../../protocol.ts'
import { presentCharge, presentTransfer } from './present.ts'

const EVENTS = { collect: 'charge.completed', payout: 'transfer.completed' } as const

/** Success and failure have the same event name and differ in `data.status`. Refunds have no event. */
export function eventsFor(transaction: Transaction, event?: string): readonly WebhookDraft[] {
  const { operation, state } = transaction
  if (operation === 'refund') return []
  const isOpen = state === 'pending' || state === 'action_required'
  if (isOpen && event === undefined) return []
  const name = event ?? EVENTS[operation]
  const data = operation === 'collect' ? presentCharge(transaction) : presentTransfer(transaction)
  const type = operation === 'payout' ? 'Transfer' : `${transaction.method.toUpperCase()}_TRANSACTION`
  const body = JSON.stringify({ event: name, 'event.type': type, data })
  return [{ event: name, body, contentType: 'application/json' }]
}
