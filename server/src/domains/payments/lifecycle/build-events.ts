import { wireAmount } from '../../../lib/money/money.ts'
import { buildEvent } from '../../events/webhooks/build-event.ts'
import type { EventData } from '../../events/webhooks/events.ts'
import type { NewEvent } from '../../events/webhooks/record.ts'
import type { Payment } from '../record.ts'
import { toFeeFields } from '../schema.ts'
import type { Status } from './rules.ts'

type PaymentEventType =
  | 'payment.completed'
  | 'payment.failed'
  | 'payment.processing'
  | 'payment.refunded'
  | 'transaction.updated'

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

/**
 * The events of a change in chronological order. `payment` is the record after the change. All events of one step of
 * the status carry the same number, so that a receiver drops none of them because the other one arrived first.
 */
export function eventsFor(change: StatusChange): NewEvent[] {
  const { payment, before, moves } = change
  const rows: NewEvent[] = []
  const firstStep = payment.eventCount + 1
  const lastStep = payment.eventCount + Math.max(1, moves.length)
  const add = (eventType: PaymentEventType, [previous, status]: Step, sequence: number): void => {
    rows.push(
      buildEvent(eventType, {
        resourceId: payment.paymentId,
        createdAt: payment.updatedAt,
        data: eventData(payment, { status, previous, sequence }),
      }),
    )
  }
  if (change.firstAcceptance) add('payment.processing', [before.status, moves[0] ?? before.status], firstStep)
  // A part of a payment may be refunded without a change of its status.
  if (payment.refundedMinor > before.refundedMinor)
    add('payment.refunded', [before.status, payment.status], lastStep)
  for (const [index, status] of moves.entries()) {
    const step: Step = [moves[index - 1] ?? before.status, status]
    const eventType = statusEvents[status]
    if (eventType !== undefined) add(eventType, step, firstStep + index)
    add('transaction.updated', step, firstStep + index)
  }
  return rows
}

type Step = readonly [previous: Status, status: Status]

/** The number of the last event, which is the number of changes so far. */
export const countAfter = (before: number, events: readonly NewEvent[]): number =>
  Math.max(before, ...events.map(({ sequence }) => sequence))

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
  direction: payment.direction,
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
