import type { CompiledQuery } from 'kysely'
import { isOutflowLimit } from '../../../kernel/db/errors.ts'
import { outboxChannel } from '../../../kernel/engine/outbox.ts'
import { checkApproval, type ApprovalDeps } from '../../pricing/approval-policies/check-approval.ts'
import type { ApprovalCause } from '../../pricing/approval-policies/record.ts'
import { dailyWindowMs, findReachedDaily } from './check-outflow.ts'
import { announceReview } from '../reviews/notify-approvers.ts'
import type { Payment } from '../record.ts'
import { insertReviewRequest } from '../reviews/store.ts'
import { assertOutflowBelow } from '../store.ts'

/**
 * Writes a payment that is ready to be sent, or one that waits for approval. Its amounts decide, and the outflow of the
 * last 24 hours, which is checked in the transaction that writes it: two payments at the same moment count each other.
 */
export async function writeWithApproval<Written>(
  deps: ApprovalDeps,
  payment: Payment,
  write: (decided: Payment, statements: readonly CompiledQuery[]) => Promise<Written>,
): Promise<Written> {
  if (payment.direction === 'inbound') return write(payment, [])
  const { orgId } = payment
  const approval = await checkApproval(deps, orgId, payment)
  const writeHeld = async (cause: ApprovalCause): Promise<Written> => {
    const written = await write({ ...payment, status: 'initiated' }, [
      insertReviewRequest(orgId, payment, cause),
      ...(await announceReview(deps, payment)),
    ])
    deps.db.wake(outboxChannel)
    return written
  }
  if (approval.cause) return writeHeld(approval.cause)
  const since = new Date(payment.createdAt.getTime() - dailyWindowMs)
  const guards = approval.dailyLimits.map((limit) => assertOutflowBelow(orgId, since, limit))
  try {
    return await write(payment, guards)
  } catch (error) {
    const [limit] = approval.dailyLimits
    if (!isOutflowLimit(error) || !limit) throw error
    const reached = await findReachedDaily(deps, orgId, payment, approval.dailyLimits)
    return writeHeld(reached ?? { kind: 'daily', policy: limit.policy })
  }
}
