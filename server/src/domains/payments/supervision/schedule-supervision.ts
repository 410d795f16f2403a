import type { CompiledQuery } from 'kysely'
import { enqueueStatement, rescheduleStatement, type Due } from '../../../kernel/engine/outbox.ts'
import type { Payment } from '../record.ts'

export const superviseJob = ({ orgId, paymentId }: Pick<Payment, 'orgId' | 'paymentId'>) => ({
  service: 'Payments',
  handler: 'supervise',
  payload: { orgId, paymentId },
})

/**
 * Schedules the engine's supervision of a payment. The outbox id is the payment's, so the transaction that ends the
 * payment can drop the job without reading it first.
 */
export const superviseFrom = (payment: Payment, due?: Due): CompiledQuery =>
  enqueueStatement(payment.orgId, [
    {
      ...superviseJob(payment),
      outboxId: payment.paymentId,
      requestId: payment.requestId,
      ...(due && { due }),
    },
  ])

/** Brings the first poll forward. Does nothing once the engine has the job, which then polls on its own schedule. */
export const superviseSooner = (payment: Payment, due: Due): CompiledQuery =>
  rescheduleStatement(payment.orgId, payment.paymentId, due)
