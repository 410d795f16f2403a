import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { inquireForMember } from './advance-payment.ts'
import { loadPayment } from '../reads/get-payment.ts'
import { openAttempt, type LoadedPayment } from '../record.ts'
import { advanceOpenRefund } from '../refunds/advance-refund.ts'
import { isSettled } from '../lifecycle/rules.ts'
import { checkEndedPayment } from './check-ended-payment.ts'
import type { EndedPaymentDeps } from './settle-disputes.ts'

export interface InquiryDeps extends EndedPaymentDeps {
  /** Throws when the provider was asked about the payment a moment ago. */
  limitInquiries(this: void, paymentId: string): void
  /** Passed in because the ramps domain depends on this one. */
  inquireRamp(this: void, ids: { orgId: string; paymentId: string }): Promise<unknown>
}

/**
 * Asks the provider now about the open attempt, leg or refund of a payment, or whether it took back a completed one; the
 * payment may have changed by it.
 */
export async function inquirePayment(
  deps: InquiryDeps,
  caller: Caller,
  input: { paymentId: string; orgId: string | undefined },
): Promise<LoadedPayment> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { paymentId } = input
  const loaded = await loadPayment(deps, orgId, paymentId)
  deps.limitInquiries(paymentId)
  const audit = auditStatement(caller, orgId, {
    action: 'payment.inquire',
    resourceType: 'payment',
    resourceId: paymentId,
    before: { status: loaded.payment.status },
  })
  if (!isSettled(loaded.payment.status) && openAttempt(loaded)) return inquireForMember(deps, loaded, [audit])
  await deps.db.batchInOrg(orgId, [audit])
  if (loaded.payment.direction === 'external') await deps.inquireRamp({ orgId, paymentId })
  else if (loaded.payment.status === 'completed')
    return checkEndedPayment(deps, { orgId, paymentId, isReported: false })
  else await advanceOpenRefund(deps, orgId, paymentId)
  return loadPayment(deps, orgId, paymentId)
}
