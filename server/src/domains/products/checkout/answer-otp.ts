import { AppError } from '../../../lib/errors.ts'
import { otpTriesLimit, submitAction } from '../../payments/attempts/submit-action.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { lastAttempt, type PaymentDeps } from '../../payments/record.ts'
import { payerOf, sceneKindOf } from './load-visit.ts'
import type { Visit, Visitor } from './record.ts'
import { otpPattern } from './schema.ts'

type OtpResult = { kind: 'given' } | { kind: 'wrong'; triesLeft: number | undefined }

/** The one-time password is passed to the provider and never stored, as in the API. */
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
    // A conflict means that the payment moved on by itself; the page shows its current state.
    if (error.code !== 'INVALID_OTP') return { kind: 'given' }
    const tries = lastAttempt(await loadPayment(deps, visit.link.orgId, paymentId))?.otpTries ?? otpTriesLimit
    return { kind: 'wrong', triesLeft: Math.max(otpTriesLimit - tries, 0) }
  }
}
