import type { CompiledQuery } from 'kysely'
import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import { isSameMoney } from '../../../lib/money/money.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { advancePayment } from '../../payments/supervision/advance-payment.ts'
import { applyFact } from '../../payments/attempts/apply-fact.ts'
import { amountDiffers, isCertainReversal } from '../../payments/attempts/plan-fact.ts'
import type { FoundAttempt } from '../../payments/attempts/record.ts'
import { findingKeyOf } from '../../payments/attempts/rules.ts'
import { exceptionTexts } from '../../payments/errors.ts'
import {
  checkEndedAttempt,
  checkEndedPayment,
  hasEndedUnpaid,
} from '../../payments/supervision/check-ended-payment.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { providerAmount, type LoadedPayment } from '../../payments/record.ts'
import { hasOpenRefund } from '../../payments/refunds/settle-refunds.ts'
import { isReversal, isSettled } from '../../payments/lifecycle/rules.ts'
import type { Delivery, WebhookDeps } from './record.ts'
import { notAppliedBecause, factOf, inboxRow, incompleteAnswer, namesAmount } from './rules.ts'
import { insertInboxRow } from './store.ts'

export async function receiveForAttempt(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  found: FoundAttempt,
): Promise<void> {
  const { orgId, paymentId, attemptNo } = found
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict === 'forged') {
    await deps.db.batchInOrg(orgId, [inbox(notAppliedBecause(delivery.verdict))])
    return
  }
  const loaded = await loadPayment(deps, orgId, paymentId)
  if (delivery.verdict !== 'verified' || !(delivery.isAnswer || namesAmount(update))) {
    const { providerRef } = update
    const extraStatements = [inbox(notAppliedBecause(delivery.verdict))]
    await applyFact(deps, loaded, undefined, {
      attemptNo,
      canSend: false,
      hintedRef: providerRef,
      extraStatements,
    })
    if (takesBack(loaded, update, attemptNo))
      await checkEndedPayment(deps, { orgId, paymentId, isReported: true })
    else if (paysLate(loaded, update, attemptNo))
      await checkEndedAttempt(deps, { orgId, paymentId, attemptNo, isSigned: false })
    else await advancePayment(deps, { orgId, paymentId, hint: { attemptNo, providerRef } })
    return
  }
  if (delivery.isAnswer && !answersFully(loaded, update, attemptNo)) {
    await deps.db.batchInOrg(orgId, [inbox(incompleteAnswer), ...contradicted(loaded, update, attemptNo)])
    return
  }
  const fact = factOf(update)
  const isTakenBack = takesBack(loaded, update, attemptNo)
  const hasRefund = isTakenBack && (await hasOpenRefund(deps, loaded))
  const isNamed = isCertainReversal(fact, { isAfterEnd: true }) && isAbout(loaded, update, attemptNo)
  const isCertain = delivery.isAnswer || (isNamed && !hasRefund)
  if ((isTakenBack && !isCertain) || (paysLate(loaded, update, attemptNo) && !delivery.isAnswer)) {
    if (isTakenBack) await checkEndedPayment(deps, { orgId, paymentId, isReported: true })
    else await checkEndedAttempt(deps, { orgId, paymentId, attemptNo, isSigned: true })
    // Written last: if this process dies before, the provider sends the message again.
    await deps.db.batchInOrg(orgId, [inbox('contradicts what is known: the provider was asked')])
    return
  }
  const result = amountDiffers(loaded.payment, fact)
    ? 'manual review: the amount differs'
    : `taken as ${update.state.state}`
  const { state, providerStatus } = update
  const answer = { result: fact.kind, detail: `${state.state} (${providerStatus})`, isScheduled: false }
  await applyFact(deps, loaded, fact, {
    attemptNo,
    canSend: false,
    isAfterEnd: isSettled(loaded.payment.status),
    ...(isTakenBack && delivery.isAnswer && { inquiry: answer, mayBeKnown: hasRefund }),
    extraStatements: [inbox(result)],
  })
}

/** The update contradicts the success of the attempt that completed the payment. */
const takesBack = (
  { payment, attempts }: LoadedPayment,
  update: ProviderUpdate,
  attemptNo: number,
): boolean =>
  isSettled(payment.status) &&
  isReversal(update.state) &&
  attempts.some((attempt) => attempt.attemptNo === attemptNo && attempt.state === 'succeeded')

/** The update names the movement of the attempt, by its amount and by the id that the provider gave it. */
const isAbout = (
  { payment, attempts }: LoadedPayment,
  { amount, providerRef }: ProviderUpdate,
  attemptNo: number,
): boolean => {
  const known = attempts.find((attempt) => attempt.attemptNo === attemptNo)?.providerRef ?? null
  return isSameMoney(amount, providerAmount(payment)) && (known === null || known === providerRef)
}

/** An answer completes or takes back only what it names by its amount; asking again would bring the same answer. */
const answersFully = (loaded: LoadedPayment, update: ProviderUpdate, attemptNo: number): boolean =>
  takesBack(loaded, update, attemptNo) ? isAbout(loaded, update, attemptNo) : namesAmount(update)

/** An open payment is asked about again on schedule; one that has ended needs manual review. */
function contradicted(loaded: LoadedPayment, update: ProviderUpdate, attemptNo: number): CompiledQuery[] {
  const { orgId, paymentId } = loaded.payment
  const provider = loaded.attempts.find((attempt) => attempt.attemptNo === attemptNo)?.provider ?? null
  const raise = (kind: 'reversed_after_completion' | 'money_after_end'): CompiledQuery[] => [
    insertException(orgId, {
      kind,
      paymentId,
      provider,
      findingKey: findingKeyOf(kind, paymentId, attemptNo),
      ...exceptionTexts[kind],
    }),
  ]
  if (takesBack(loaded, update, attemptNo)) return raise('reversed_after_completion')
  return paysLate(loaded, update, attemptNo) ? raise('money_after_end') : []
}

/** The update contradicts the end of an attempt that was not paid. */
const paysLate = ({ attempts }: LoadedPayment, update: ProviderUpdate, attemptNo: number): boolean =>
  update.state.state === 'completed' &&
  attempts.some((attempt) => attempt.attemptNo === attemptNo && hasEndedUnpaid(attempt))
