import type { CompiledQuery } from 'kysely'
import { enqueueStatement, rescheduleStatement } from '../../engine/outbox.ts'
import type { Payment } from './loaded-payment.ts'

/** The outbox id is the payment's: the transaction that ends a payment can drop the job without a look-up. */
const superviseJob = (payment: Pick<Payment, 'orgId' | 'paymentId' | 'requestId'>, dueAt: Date) => ({
  outboxId: payment.paymentId,
  service: 'Payments',
  handler: 'supervise',
  payload: { orgId: payment.orgId, paymentId: payment.paymentId },
  requestId: payment.requestId,
  dueAt,
})

export const superviseFrom = (payment: Payment, dueAt: Date): CompiledQuery =>
  enqueueStatement(payment.orgId, [superviseJob(payment, dueAt)])

/** Brings the first look forward; does nothing once the engine has the job, which looks by itself. */
export const superviseSooner = (payment: Payment, dueAt: Date): CompiledQuery =>
  rescheduleStatement(payment.orgId, payment.paymentId, dueAt)

/** Under an id of its own: for work that the engine has forgotten. */
export const superviseAnew = (payment: { orgId: string; paymentId: string }, outboxId: string) => ({
  outboxId,
  service: 'Payments',
  handler: 'supervise',
  payload: { orgId: payment.orgId, paymentId: payment.paymentId },
})
