import { createHash } from 'node:crypto'
import type { Transaction } from '../../core/transaction.ts'
import type { WebhookDraft } from '../../protocol.ts'
import { detailsOf } from './wire.ts'

const PAYMENT_EVENTS: Readonly<Record<Transaction['state'], string | undefined>> = {
  action_required: undefined,
  pending: 'payment_executed',
  completed: 'payment_settled',
  failed: 'payment_failed',
  canceled: 'payment_failed',
  reversed: 'payment_reversed',
}

export function webhooksFor(transaction: Transaction, event?: string): WebhookDraft[] {
  const type = event ?? eventOf(transaction)
  if (type === undefined) return []
  const { metadata, paymentId } = detailsOf(transaction)
  const { operation, providerRef, failure, updatedAt } = transaction
  const ids = {
    collect: { payment_id: providerRef },
    payout: { payout_id: providerRef },
    refund: { refund_id: providerRef, payment_id: paymentId },
  }
  const body = JSON.stringify({
    type,
    event_id: eventIdOf(transaction, type),
    event_version: 1,
    ...ids[operation],
    [`${type.split('_')[1] ?? ''}_at`]: updatedAt,
    ...(failure && { failure_reason: failure.code }),
    metadata,
  })
  return [{ event: type, body, contentType: 'application/json' }]
}

function eventOf({ operation, state }: Transaction): string | undefined {
  if (operation === 'collect') return PAYMENT_EVENTS[state]
  if (state === 'pending' || state === 'action_required') return undefined
  return `${operation}_${state === 'completed' ? 'executed' : 'failed'}`
}

/** A repeated event has the same id. */
function eventIdOf(transaction: Transaction, type: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([type, transaction]))
    .digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
