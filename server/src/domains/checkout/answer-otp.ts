import { AppError } from '../../lib/errors.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { lastAttempt, type PaymentDeps } from '../payments/record.ts'
import { loadPayment } from '../payments/get-payment.ts'
import { otpTriesLimit, submitAction } from '../payments/attempts/submit-action.ts'
import { payerOf, sceneKindOf, type Visit, type Visitor } from './load-visit.ts'
import { otpPattern } from './schema.ts'

export type OtpResult = { kind: 'given' } | { kind: 'wrong'; triesLeft: number | undefined }

/** The password goes to the provider and is written nowhere, as through the API. */
export async function answerOtp(
  deps: PaymentDeps,
  visit: Visit,
  visitor: Visitor,
  otp: string,
): Promise<OtpResult> {
  const paymentId = visit.link.paymentId
  if (sceneKindOf(visit) !== 'otp' || paymentId === null) return { kind: 'given' }
  if (!otpPattern.test(otp)) return { kind: 'wrong', triesLeft: undefined }
  try {
    const action = { type: 'submit_otp', otp } as const
    await submitAction(deps, payerOf(visit.link, visitor.origin), { paymentId, action })
    return { kind: 'given' }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    // A conflict: the payment went on by itself, and the page shows where it is.
    if (error.code !== 'INVALID_OTP') return { kind: 'given' }
    const tries = lastAttempt(await loadPayment(deps, visit.link.orgId, paymentId))?.otpTries ?? otpTriesLimit
    return { kind: 'wrong', triesLeft: Math.max(otpTriesLimit - tries, 0) }
  }
}

/** Withdraws the payment at its provider; false when that can or will not. */
export async function leavePayment(deps: PaymentDeps, visit: Visit, visitor: Visitor): Promise<boolean> {
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
