import { AppError } from '../../../lib/errors.ts'
import { cancelPayment } from '../../payments/actions/cancel-payment.ts'
import type { PaymentDeps } from '../../payments/record.ts'
import { payerOf, sceneKindOf } from './load-visit.ts'
import type { Visit, Visitor } from './record.ts'

/** Cancels the payment at its provider; false when the provider cannot or will not. */
export async function cancelVisitPayment(
  deps: PaymentDeps,
  visit: Visit,
  visitor: Visitor,
): Promise<boolean> {
  const paymentId = visit.link.paymentId
  const kind = sceneKindOf(visit)
  if (paymentId === null || !['redirect', 'otp', 'prompt', 'transfer'].includes(kind)) return true
  try {
    await cancelPayment(deps, payerOf(visit.link, visitor.origin), { paymentId })
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 409) return false
    throw error
  }
}
