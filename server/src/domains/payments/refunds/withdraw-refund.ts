import { retryOnConflict } from '../../../kernel/db/retry-on-conflict.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { PaymentDeps } from '../record.ts'
import { closeWaitingRefund } from './close-waiting-refund.ts'
import { notRequester, withdrawn } from './errors.ts'
import { getWaitingRefund } from './reads.ts'
import type { Refund } from './record.ts'

/** Whoever requested a refund takes it back while it waits. Others reject it. */
export async function withdrawRefund(
  deps: PaymentDeps,
  caller: Caller,
  input: { refundId: string },
): Promise<Refund> {
  const { orgId } = caller
  const ended = await retryOnConflict('the refund', async () => {
    const { refund } = await getWaitingRefund(deps, { orgId, refundId: input.refundId })
    if (refund.userId !== caller.userId) throw notRequester()
    const audit = auditStatement(caller, orgId, {
      action: 'refund.withdraw',
      resourceType: 'payment',
      resourceId: refund.paymentId,
      after: { refund_id: refund.refundId },
    })
    const loaded = await loadPayment(deps, orgId, refund.paymentId)
    return closeWaitingRefund(deps, loaded, refund, { failure: withdrawn, statements: [audit] })
  })
  return ended.refund
}
