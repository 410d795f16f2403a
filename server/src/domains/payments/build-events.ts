import { newId } from '../../lib/ids.ts'
import { wireAmount } from '../../lib/money.ts'
import type { EventType } from '../webhooks/rules.ts'
import type { NewEvent } from '../webhooks/record.ts'
import { wireDirections, type Payment } from './record.ts'
import type { Status } from './rules.ts'

/** The event that a status itself fires, beside `transaction.updated`, which every change fires. */
const statusEvents: Partial<Record<Status, EventType>> = {
  completed: 'payment.completed',
  failed: 'payment.failed',
  rejected: 'payment.failed',
}

export interface StatusChange {
  previous: Status
  payment: Payment
  moves: readonly Status[]
  /** A provider has taken the payment, for the first time. */
  firstAcceptance: boolean
}

/** In the order in which they happened. `payment` is the record after the change. */
export function eventsFor(change: StatusChange): NewEvent[] {
  const { payment } = change
  const rows: NewEvent[] = []
  const add = (eventType: EventType, status: Status, previous: Status): void => {
    const sequence = payment.eventCount + rows.length + 1
    rows.push({
      eventId: newId(),
      eventType,
      resourceId: payment.paymentId,
      sequence,
      data: JSON.stringify(eventData(payment, { status, previous, sequence })),
      createdAt: payment.updatedAt,
    })
  }
  if (change.firstAcceptance) add('payment.processing', change.moves[0] ?? change.previous, change.previous)
  let previous = change.previous
  for (const status of change.moves) {
    const eventType = statusEvents[status]
    if (eventType !== undefined) add(eventType, status, previous)
    add('transaction.updated', status, previous)
    previous = status
  }
  return rows
}

const eventData = (payment: Payment, at: { status: Status; previous: Status; sequence: number }): object => ({
  payment_id: payment.paymentId,
  transaction_id: payment.paymentId,
  status: at.status,
  previous_status: at.previous,
  amount: wireAmount(payment.source.amountMinor, payment.source.currency),
  currency: payment.source.currency,
  target_amount: wireAmount(payment.target.amountMinor, payment.target.currency),
  target_currency: payment.target.currency,
  direction: wireDirections[payment.direction],
  payment_method: payment.method,
  provider: payment.provider,
  client_reference: payment.clientReference,
  failure:
    payment.failureCode === null
      ? null
      : { code: payment.failureCode, message: payment.failureMessage ?? '' },
  metadata: payment.metadata,
  updated_at: payment.updatedAt.toISOString(),
  sequence: at.sequence,
})
