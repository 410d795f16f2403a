import type { CompiledQuery } from 'kysely'
import { enqueueStatement, type Due } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import type { Payment } from '../../payments/record.ts'

export const superviseRampJob = ({ orgId, paymentId }: Pick<Payment, 'orgId' | 'paymentId'>) => ({
  service: 'Ramps',
  handler: 'supervise',
  payload: { orgId, paymentId },
})

/** The outbox id is the payment's, so the transaction that ends the payment can drop the job. */
export const superviseRampFrom = (payment: Payment, due: Due): CompiledQuery =>
  enqueueStatement(payment.orgId, [
    { ...superviseRampJob(payment), outboxId: payment.paymentId, requestId: payment.requestId, due },
  ])

/** The running supervision may sleep until its next poll, so a second one continues at once. */
export const superviseRampNow = (payment: Payment): CompiledQuery =>
  enqueueStatement(payment.orgId, [
    { ...superviseRampJob(payment), outboxId: newId(), requestId: payment.requestId },
  ])
