import { isStaleVersion } from '../../../kernel/db/errors.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { changeStatus } from '../lifecycle/change-status.ts'
import { wrongState } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import { openAttempt, type LoadedPayment, type PaymentDeps } from '../record.ts'
import { canMove } from '../lifecycle/rules.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'

/**
 * A payment that was never sent is canceled here. After that only its provider can guarantee that no money moves,
 * so the provider is asked to cancel, and the payment ends when it confirms.
 */
export async function cancelPayment(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string },
): Promise<LoadedPayment> {
  const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
  if (loaded.payment.direction === 'external')
    throw wrongState('A ramp cannot be canceled. If nothing is paid, it ends by itself when it expires.')
  const audit = auditStatement(caller, caller.orgId, {
    action: 'payment.cancel',
    resourceType: 'payment',
    resourceId: input.paymentId,
    before: { status: loaded.payment.status },
  })
  const attempt = openAttempt(loaded)
  // Nothing was sent, or every provider has definitely refused it and it waits to be repeated.
  const isNowhere = loaded.attempts.every(({ state }) => state === 'declined' || state === 'not_sent')
  if (isNowhere && canMove(loaded.payment.status, 'canceled'))
    return changeStatus(deps, loaded, { status: 'canceled', extraStatements: [audit] }).catch(asConflict)
  if (!attempt) throw wrongState(`A payment that is ${loaded.payment.status} cannot be canceled.`)
  if (attempt.state !== 'accepted')
    throw wrongState('The provider has not confirmed that it has this payment, so it cannot be canceled yet.')
  const connector = await deps.connectors.load(caller.orgId, attempt.accountId)
  if (!connector?.cancel) throw wrongState('The provider of this payment cannot cancel it.')
  const outcome = await connector.cancel(toConnectorAttempt(loaded.payment, attempt))
  if (outcome.kind === 'declined')
    throw wrongState('The provider did not cancel the payment: it is too late for that.')
  if (outcome.kind !== 'accepted')
    throw wrongState('The provider did not answer. The payment goes on; try again or wait for its outcome.')
  return applyFact(deps, loaded, outcome, {
    attemptNo: attempt.attemptNo,
    canSend: false,
    extraStatements: [audit],
  })
}

export function asConflict(error: unknown): never {
  if (isStaleVersion(error))
    throw wrongState('The payment changed at the same moment. Look at it and try again.')
  throw error
}
