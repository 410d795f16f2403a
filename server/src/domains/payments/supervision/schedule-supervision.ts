import type { CompiledQuery } from 'kysely'
import { enqueueStatement, rescheduleStatement } from '../../../kernel/engine/outbox.ts'
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
export const superviseFrom = (payment: Payment, dueAt: Date): CompiledQuery =>
  enqueueStatement(payment.orgId, [
    { ...superviseJob(payment), outboxId: payment.paymentId, requestId: payment.requestId, dueAt },
  ])

/** Brings the first poll forward. Does nothing once the engine has the job, which then polls on its own schedule. */
export const superviseSooner = (payment: Payment, dueAt: Date): CompiledQuery =>
  rescheduleStatement(payment.orgId, payment.paymentId, dueAt)
