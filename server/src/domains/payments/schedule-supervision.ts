import type { CompiledQuery } from 'kysely'
import { enqueueStatement, rescheduleStatement } from '../../engine/outbox.ts'
import type { Payment } from './record.ts'

export const superviseJob = ({ orgId, paymentId }: Pick<Payment, 'orgId' | 'paymentId'>) => ({
  service: 'Payments',
  handler: 'supervise',
  payload: { orgId, paymentId },
})

/**
 * Asks the engine to look after a payment from a time on. The outbox id is the payment's, so the transaction that
 * ends the payment can drop the job without a look-up.
 */
export const superviseFrom = (payment: Payment, dueAt: Date): CompiledQuery =>
  enqueueStatement(payment.orgId, [
    { ...superviseJob(payment), outboxId: payment.paymentId, requestId: payment.requestId, dueAt },
  ])

/** Brings the first look forward; does nothing once the engine has the job, which looks by itself. */
export const superviseSooner = (payment: Payment, dueAt: Date): CompiledQuery =>
  rescheduleStatement(payment.orgId, payment.paymentId, dueAt)
