import type { CustomerAction, Outcome } from '../../../connectors/kit/connector.ts'
import type { Caller } from '../../../lib/access.ts'
import { auditStatement } from '../../audit-log/record-audit.ts'
import { applyFact } from './apply-fact.ts'
import { cancelPayment } from '../cancel-payment.ts'
import { invalidOtp, wrongState } from '../errors.ts'
import { loadPayment } from '../get-payment.ts'
import { openAttempt, type LoadedPayment, type PaymentDeps, type StoredAttempt } from '../record.ts'
import type { Fact } from '../rules.ts'
import { toConnectorAttempt } from './build-request.ts'
import { reportLostOutcome } from './report-lost-outcome.ts'

export type PaymentAction = CustomerAction | { type: 'cancel' }

export const otpTriesLimit = 5

/** Forwards the one-time password to the provider. It passes through memory only and is never stored. */
export async function submitAction(
  deps: PaymentDeps,
  caller: Caller,
  input: { paymentId: string; action: PaymentAction },
): Promise<LoadedPayment> {
  const { action } = input
  if (action.type === 'cancel') return cancelPayment(deps, caller, { paymentId: input.paymentId })
  const loaded = await loadPayment(deps, caller.orgId, input.paymentId)
  const attempt = openAttempt(loaded)
  if (!attempt || loaded.payment.nextAction?.type !== 'collect_otp')
    throw wrongState('This payment does not wait for a one-time password. Look at its status first.')
  const connector = await deps.connectors.load(caller.orgId, attempt.accountId)
  if (!connector?.act) throw wrongState('The provider of this payment takes no one-time password here.')
  const outcome = await connector.act(toConnectorAttempt(loaded.payment, attempt), action)
  const extraStatements = [
    auditStatement(caller, caller.orgId, {
      action: `payment.${action.type}`,
      resourceType: 'payment',
      resourceId: input.paymentId,
      after: { outcome: outcome.kind },
    }),
  ]
  if (outcome.kind === 'wrong_otp') return countWrongOtp(deps, loaded, attempt, extraStatements)
  if (outcome.kind === 'not_sent')
    throw wrongState(
      'The provider did not take this, and nothing has changed. Try again, or cancel the payment.',
    )
  // The provider has the password and may have charged, so no other route may be tried.
  return applyFact(deps, loaded, afterPassword(outcome), {
    attemptNo: attempt.attemptNo,
    canSend: false,
    extraStatements,
  }).catch((error: unknown) => reportLostOutcome(deps, loaded, error))
}

/** Unless the provider asks for something else, the customer now only has to wait. */
const afterPassword = (outcome: Exclude<Outcome, { kind: 'not_sent' }>): Fact =>
  outcome.kind === 'accepted' ? { ...outcome, nextAction: outcome.nextAction ?? { type: 'wait' } } : outcome

/** The count is read from the attempt as written, so that concurrent tries are all counted. */
async function countWrongOtp(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  { attemptNo }: StoredAttempt,
  extraStatements: ReturnType<typeof auditStatement>[],
): Promise<never> {
  const evidence = { attemptNo, canSend: false }
  const counted = await applyFact(deps, loaded, undefined, { ...evidence, isWrongOtp: true, extraStatements })
  const tries = counted.attempts.find((attempt) => attempt.attemptNo === attemptNo)?.otpTries ?? otpTriesLimit
  if (tries >= otpTriesLimit) await applyFact(deps, counted, otpTriesExhausted, evidence)
  throw invalidOtp(Math.max(otpTriesLimit - tries, 0))
}

const otpTriesExhausted: Fact = {
  kind: 'declined',
  fallback: false,
  failure: { code: 'OTP_TRIES_EXHAUSTED', message: 'The one-time password was wrong too often.' },
}
