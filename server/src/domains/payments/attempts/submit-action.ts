import type { ActionOutcome, Connector, CustomerAction, Outcome } from '../../../connectors/kit/connector.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { applyFact } from './apply-fact.ts'
import { cancelPayment } from '../actions/cancel-payment.ts'
import { invalidOtp, wrongState } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import { openAttempt, type LoadedPayment, type PaymentDeps, type StoredAttempt } from '../record.ts'
import { isSettled, type Fact } from '../lifecycle/rules.ts'
import { toConnectorAttempt } from './build-request.ts'
import { reportLostOutcome } from './report-lost-outcome.ts'
import { claimOtpTry, releaseOtpTry } from './store.ts'

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
  const tries = action.type === 'submit_otp' ? await claimTry(deps, loaded, attempt) : undefined
  const outcome = await act(deps, connector, loaded, { attempt, action })
  const extraStatements = [
    auditStatement(caller, caller.orgId, {
      action: `payment.${action.type}`,
      resourceType: 'payment',
      resourceId: input.paymentId,
      after: { outcome: outcome.kind },
    }),
  ]
  if (outcome.kind === 'wrong_otp') {
    const counted = await countWrongOtp(deps, loaded, attempt, extraStatements)
    throw invalidOtp(otpTriesLimit - (tries ?? otpTriesLimit), isSettled(counted.payment.status))
  }
  if (outcome.kind === 'not_sent') {
    if (tries !== undefined) await releaseTry(deps, loaded, attempt)
    throw wrongState(
      'The provider did not take this, and nothing has changed. Try again, or cancel the payment.',
    )
  }
  // The provider has the password and may have charged, so no other route may be tried.
  return applyFact(deps, loaded, afterPassword(outcome), {
    attemptNo: attempt.attemptNo,
    canSend: false,
    extraStatements,
  }).catch((error: unknown) => reportLostOutcome(deps, loaded, error))
}

/**
 * The try is taken before the provider is called, so that concurrent calls cannot exceed the limit. A process that dies
 * in between costs the customer one try.
 */
async function claimTry(
  deps: PaymentDeps,
  { payment }: LoadedPayment,
  { attemptNo }: StoredAttempt,
): Promise<number> {
  const { orgId, paymentId } = payment
  const tries = await deps.db.inOrg(orgId, (tx) =>
    claimOtpTry(tx, orgId, { paymentId, attemptNo }, otpTriesLimit),
  )
  if (tries === undefined)
    throw wrongState('No try for the one-time password is left. Look at the status of the payment.')
  return tries
}

const releaseTry = (deps: PaymentDeps, { payment }: LoadedPayment, { attemptNo }: StoredAttempt) =>
  deps.db.batchInOrg(payment.orgId, [
    releaseOtpTry(payment.orgId, { paymentId: payment.paymentId, attemptNo }),
  ])

async function act(
  deps: PaymentDeps,
  connector: Connector,
  { payment }: LoadedPayment,
  { attempt, action }: { attempt: StoredAttempt; action: CustomerAction },
): Promise<ActionOutcome> {
  if (!connector.act) return { kind: 'not_sent', reason: 'the provider takes no one-time password' }
  try {
    return await connector.act(toConnectorAttempt(payment, attempt), action)
  } catch (error) {
    deps.log.error(
      { err: error, provider: attempt.provider, paymentId: payment.paymentId },
      'a connector threw',
    )
    return { kind: 'unknown', reason: 'the connector failed' }
  }
}

/** Unless the provider asks for something else, the customer now only has to wait. */
const afterPassword = (outcome: Exclude<Outcome, { kind: 'not_sent' }>): Fact =>
  outcome.kind === 'accepted' ? { ...outcome, nextAction: outcome.nextAction ?? { type: 'wait' } } : outcome

/** Ends the payment when the provider has refused all tries. Until then one that is under way may be the right one. */
async function countWrongOtp(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  { attemptNo }: StoredAttempt,
  extraStatements: ReturnType<typeof auditStatement>[],
): Promise<LoadedPayment> {
  const evidence = { attemptNo, canSend: false }
  const counted = await applyFact(deps, loaded, undefined, { ...evidence, isWrongOtp: true, extraStatements })
  const wrong = counted.attempts.find((attempt) => attempt.attemptNo === attemptNo)?.wrongOtps ?? 0
  return wrong < otpTriesLimit ? counted : applyFact(deps, counted, otpTriesExhausted, evidence)
}

const otpTriesExhausted: Fact = {
  kind: 'declined',
  fallback: false,
  failure: { code: 'OTP_TRIES_EXHAUSTED', message: 'The one-time password was wrong too often.' },
}
