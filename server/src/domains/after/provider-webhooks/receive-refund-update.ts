import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import { isSameMoney } from '../../../lib/money/money.ts'
import type { FoundAttempt } from '../../payments/attempts/record.ts'
import { advancePayment } from '../../payments/supervision/advance-payment.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { inquireRefund } from '../../payments/refunds/advance-refund.ts'
import { applyRefundFact } from '../../payments/refunds/apply-refund-fact.ts'
import { bookRefund } from '../../payments/refunds/book-refund.ts'
import { bookNamedRefund, settleRefunds } from '../../payments/refunds/settle-refunds.ts'
import type { Refund } from '../../payments/refunds/record.ts'
import type { Delivery, WebhookDeps } from './record.ts'
import { notAppliedBecause, inboxRow, incompleteAnswer } from './rules.ts'
import { insertInboxRow } from './store.ts'

export async function receiveForRefund(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  refund: Refund,
): Promise<void> {
  const { orgId, paymentId } = refund
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict === 'forged') {
    await deps.db.batchInOrg(orgId, [inbox(notAppliedBecause(delivery.verdict))])
    return
  }
  if (delivery.verdict !== 'verified' || !(delivery.isAnswer || fits(update, refund))) {
    await deps.db.batchInOrg(orgId, [inbox(notAppliedBecause(delivery.verdict))])
    // The id may be that of somebody else's refund. It is good enough to ask with, and is stored if the answer fits.
    await inquireRefund(deps, { ...refund, providerRef: refund.providerRef ?? update.providerRef })
    return
  }
  if (!fits(update, refund)) {
    await deps.db.batchInOrg(orgId, [inbox(incompleteAnswer)])
    return
  }
  await applyRefundFact(
    deps,
    refund,
    {
      kind: 'accepted',
      providerRef: update.providerRef,
      providerStatus: update.providerStatus,
      state: update.state,
    },
    [inbox(`refund ${update.state.state}`)],
  )
}

/** A message or an answer completes a refund only if it names the amount. */
const fits = ({ state, amount }: ProviderUpdate, { amountMinor, currency }: Refund): boolean =>
  state.state !== 'completed' || isSameMoney(amount, { amountMinor, currency })

/**
 * The message names the payment, and none of our refunds: it was made at the provider itself, or the
 * provider does not identify refunds in its messages and is asked for all of them.
 */
export async function receiveForRefundedPayment(
  deps: WebhookDeps,
  delivery: Delivery,
  update: ProviderUpdate,
  { orgId, paymentId }: FoundAttempt,
): Promise<void> {
  const inbox = (result: string) => insertInboxRow(orgId, inboxRow(delivery, update, { paymentId, result }))
  if (delivery.verdict === 'forged') {
    await deps.db.batchInOrg(orgId, [inbox(notAppliedBecause(delivery.verdict))])
    return
  }
  // The refund may be reported before the payment itself.
  await advancePayment(deps, { orgId, paymentId })
  const refundId = update.refundOf?.refundId ?? null
  if (delivery.verdict === 'verified' && refundId !== null && update.amount) {
    const { providerStatus, state, amount } = update
    const reported = { providerRef: refundId, providerStatus, state, amount }
    await bookRefund(deps, { orgId, paymentId }, reported, [
      inbox(`refund at the provider ${update.state.state}`),
    ])
    return
  }
  const row = inbox('the provider is asked about the refund')
  // Others can send such messages, too, and few of them are stored, so their row is written first.
  if (delivery.verdict !== 'verified') await deps.db.batchInOrg(orgId, [row])
  const loaded = await loadPayment(deps, orgId, paymentId)
  const attempt = loaded.attempts.find(({ state }) => state === 'succeeded')
  if (attempt) await settleRefunds(deps, loaded, attempt)
  if (attempt && refundId !== null) await bookNamedRefund(deps, loaded, { attempt, refundId })
  if (delivery.verdict === 'verified') await deps.db.batchInOrg(orgId, [row])
}
