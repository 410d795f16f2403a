import type { CompiledQuery } from 'kysely'
import { insertException } from '../exceptions/raise-exception.ts'
import { detailOf, inquire } from './advance-payment.ts'
import { applyFact } from './attempts/apply-fact.ts'
import { exceptionTexts } from './errors.ts'
import { loadPayment } from './get-payment.ts'
import type { LoadedPayment, PaymentDeps, StoredAttempt } from './record.ts'
import { settleRefunds } from './refunds/settle-refunds.ts'
import { isReversal } from './rules.ts'

/** The provider gave a reason to believe that it took back a completed payment. */
interface Doubt {
  orgId: string
  paymentId: string
  /** Raised if the provider cannot say what has become of the payment. */
  isReported: boolean
}

/**
 * Asks the account that carried a completed payment what has become of it since, and books the answer: refunds made at
 * the provider first, because some providers call a refunded payment reversed, then a reversal or a return.
 */
export async function checkEndedPayment(
  deps: PaymentDeps,
  { orgId, paymentId, isReported }: Doubt,
): Promise<LoadedPayment> {
  const before = await loadPayment(deps, orgId, paymentId)
  const attempt = before.attempts.find(({ state }) => state === 'succeeded')
  if (!attempt || before.payment.status !== 'completed') return before
  const refunds = await settleRefunds(deps, before, attempt)
  const loaded = await loadPayment(deps, orgId, paymentId)
  if (loaded.payment.status !== 'completed') return loaded
  const connector = await deps.connectors.load(orgId, attempt.accountId)
  const inquiry = connector
    ? await inquire(deps, connector, loaded, attempt)
    : ({ kind: 'unknown', reason: 'the provider has no credentials' } as const)
  if (inquiry.kind !== 'accepted') {
    if (isReported) await deps.db.batchInOrg(orgId, [unconfirmed(loaded, attempt)])
    return loaded
  }
  if (!isReversal(inquiry.state)) return loaded
  return applyFact(deps, loaded, inquiry, {
    attemptNo: attempt.attemptNo,
    canSend: false,
    inquiry: { result: inquiry.kind, detail: detailOf(inquiry), isScheduled: false },
    isAfterEnd: true,
    hasOpenRefund: refunds !== 'settled',
  })
}

const unconfirmed = ({ payment }: LoadedPayment, { provider, attemptNo }: StoredAttempt): CompiledQuery =>
  insertException(payment.orgId, {
    kind: 'reversed_after_completion',
    paymentId: payment.paymentId,
    provider,
    findingKey: `reversed_after_completion ${payment.paymentId} ${attemptNo}`,
    ...exceptionTexts.reversed_after_completion,
  })
