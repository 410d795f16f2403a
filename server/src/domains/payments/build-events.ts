import { wireAmount } from '../../lib/money.ts'
import { buildEvent } from '../webhooks/build-event.ts'
import type { EventData } from '../webhooks/events.ts'
import type { NewEvent } from '../webhooks/record.ts'
import { wireDirections, type Payment } from './record.ts'
import { toFeeFields } from './schema.ts'
import type { Status } from './rules.ts'

type PaymentEventType =
  'payment.completed' | 'payment.failed' | 'payment.processing' | 'payment.refunded' | 'transaction.updated'

/** Statuses with an event of their own, which precedes the `transaction.updated` of every change. */
const statusEvents: Partial<Record<Status, PaymentEventType>> = {
  completed: 'payment.completed',
  failed: 'payment.failed',
  rejected: 'payment.failed',
}

interface StatusChange {
  before: Pick<Payment, 'status' | 'refundedMinor'>
  payment: Payment
  moves: readonly Status[]
  /** The change is the first acceptance of the payment by a provider. */
  firstAcceptance: boolean
}

/** The events of a change in chronological order. `payment` is the record after the change. */
export function eventsFor(change: StatusChange): NewEvent[] {
  const { payment, before } = change
  const rows: NewEvent[] = []
  const add = (eventType: PaymentEventType, status: Status, previous: Status): void => {
    const sequence = payment.eventCount + rows.length + 1
    rows.push(
      buildEvent(eventType, {
        resourceId: payment.paymentId,
        createdAt: payment.updatedAt,
        data: eventData(payment, { status, previous, sequence }),
      }),
    )
  }
  if (change.firstAcceptance) add('payment.processing', change.moves[0] ?? before.status, before.status)
  // A part of a payment may be refunded without a change of its status.
  if (payment.refundedMinor > before.refundedMinor) add('payment.refunded', payment.status, before.status)
  let previous = before.status
  for (const status of change.moves) {
    const eventType = statusEvents[status]
    if (eventType !== undefined) add(eventType, status, previous)
    add('transaction.updated', status, previous)
    previous = status
  }
  return rows
}

const eventData = (
  payment: Payment,
  at: { status: Status; previous: Status; sequence: number },
): EventData<PaymentEventType> => ({
  payment_id: payment.paymentId,
  transaction_id: payment.paymentId,
  status: at.status,
  previous_status: at.previous,
  amount: wireAmount(payment.source.amountMinor, payment.source.currency),
  currency: payment.source.currency,
  target_amount: wireAmount(payment.target.amountMinor, payment.target.currency),
  target_currency: payment.target.currency,
  refunded_amount: wireAmount(payment.refundedMinor, payment.source.currency),
  direction: wireDirections[payment.direction],
  payment_method: payment.method,
  provider: payment.provider,
  client_reference: payment.clientReference,
  failure:
    payment.failureCode === null
      ? null
      : { code: payment.failureCode, message: payment.failureMessage ?? '' },
  ...toFeeFields(payment.fee),
  metadata: payment.metadata,
  updated_at: payment.updatedAt.toISOString(),
  sequence: at.sequence,
})
