import type { CompiledQuery } from 'kysely'
import { failureOf } from '../../../connectors/kit/failures.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { detailOf, inquire } from './advance-payment.ts'
import { applyFact } from '../attempts/apply-fact.ts'
import { exceptionTexts } from '../errors.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment, PaymentDeps, StoredAttempt } from '../record.ts'
import { settleRefunds } from '../refunds/settle-refunds.ts'
import { isOpen, isReversal } from '../lifecycle/rules.ts'
import { settleDisputes, type EndedPaymentDeps } from './settle-disputes.ts'

/** The provider gave a reason to believe that it took back a completed payment. */
interface Doubt {
  orgId: string
  paymentId: string
  /** Raised if the provider cannot report the state of the payment. */
  isReported: boolean
}

/**
 * Asks the account that carried a completed payment what has become of it since, and books the answer: its refunds and
 * disputes first, because some providers call a refunded or charged back payment reversed, then a reversal or a return.
 */
export async function checkEndedPayment(
  deps: EndedPaymentDeps,
  { orgId, paymentId, isReported }: Doubt,
): Promise<LoadedPayment> {
  const before = await loadPayment(deps, orgId, paymentId)
  const attempt = before.attempts.find(({ state }) => state === 'succeeded')
  if (!attempt || !['completed', 'refunded'].includes(before.payment.status)) return before
  const refunds = await settleRefunds(deps, before, attempt)
  const loaded = await loadPayment(deps, orgId, paymentId)
  if (loaded.payment.status !== 'completed') return loaded
  const connector = await deps.connectors.load(orgId, attempt.accountId)
  const inquiry = connector
    ? await inquire(deps, connector, loaded, attempt)
    : ({ kind: 'unknown', reason: 'the provider has no credentials' } as const)
  if (!connector || inquiry.kind !== 'accepted') {
    if (isReported)
      await deps.db.batchInOrg(orgId, [unconfirmed(loaded, attempt, 'reversed_after_completion')])
    return loaded
  }
  if (!isReversal(inquiry.state)) return loaded
  const disputes = await settleDisputes(deps, connector, loaded, attempt)
  const settled = await loadPayment(deps, orgId, paymentId)
  if (settled.payment.status !== 'completed') return settled
  return applyFact(deps, settled, inquiry, {
    attemptNo: attempt.attemptNo,
    canSend: false,
    inquiry: { result: inquiry.kind, detail: detailOf(inquiry), isScheduled: false },
    isAfterEnd: true,
    mayBeKnown: refunds === 'open' || disputes === 'open',
  })
}

/**
 * Inquires about an attempt that ended without success, after a message reported it as paid. Anybody can send an
 * unsigned one, so a provider that does not know the payment ends the matter; a signed one needs manual review then.
 */
export async function checkEndedAttempt(
  deps: PaymentDeps,
  report: { orgId: string; paymentId: string; attemptNo: number; isSigned: boolean },
): Promise<void> {
  const { orgId, paymentId, attemptNo } = report
  const loaded = await loadPayment(deps, orgId, paymentId)
  const attempt = loaded.attempts.find((one) => one.attemptNo === attemptNo)
  const connector = attempt && (await deps.connectors.load(orgId, attempt.accountId))
  if (!connector || !hasEndedUnpaid(attempt)) return
  const inquiry = await inquire(deps, connector, loaded, attempt)
  const isUnconfirmed = inquiry.kind === 'unknown' ? inquiry.isAsked !== true : report.isSigned
  // Before a provider returned the money it had sent it, and may report the two in any order.
  if (inquiry.kind !== 'accepted' && isUnconfirmed && attempt.outcomeCode !== reversed)
    await deps.db.batchInOrg(orgId, [unconfirmed(loaded, attempt, 'money_after_end')])
  if (inquiry.kind !== 'accepted' || inquiry.state.state !== 'completed') return
  await applyFact(deps, loaded, inquiry, {
    attemptNo,
    canSend: false,
    inquiry: { result: inquiry.kind, detail: detailOf(inquiry), isScheduled: false },
  })
}

const reversed = failureOf('REVERSED').code

export const hasEndedUnpaid = ({ state }: Pick<StoredAttempt, 'state'>): boolean =>
  !isOpen(state) && state !== 'succeeded'

const unconfirmed = (
  { payment }: LoadedPayment,
  { provider, attemptNo }: StoredAttempt,
  kind: 'reversed_after_completion' | 'money_after_end',
): CompiledQuery =>
  insertException(payment.orgId, {
    kind,
    paymentId: payment.paymentId,
    provider,
    findingKey: `${kind} ${payment.paymentId} ${attemptNo}`,
    ...exceptionTexts[kind],
  })
