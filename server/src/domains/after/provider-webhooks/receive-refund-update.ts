import type { ProviderUpdate } from '../../../connectors/kit/connector.ts'
import type { FoundAttempt } from '../../payments/attempts/record.ts'
import { advancePayment } from '../../payments/supervision/advance-payment.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { inquireRefund } from '../../payments/refunds/advance-refund.ts'
import { applyRefundFact } from '../../payments/refunds/apply-refund-fact.ts'
import { bookRefund } from '../../payments/refunds/book-refund.ts'
import { settleRefunds } from '../../payments/refunds/settle-refunds.ts'
import type { Refund } from '../../payments/refunds/record.ts'
import type { Delivery, WebhookDeps } from './record.ts'
import { inboxRow } from './rules.ts'
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
    await deps.db.batchInOrg(orgId, [inbox('refused: the signature is not valid')])
    return
  }
  if (delivery.verdict === 'unsigned') {
    const inboxed = [inbox('unsigned: the provider is asked about the refund')]
    // The provider's id is needed to inquire about the refund; the reported outcome is not trusted.
    const { providerRef, providerStatus } = update
    const known = { kind: 'accepted', providerRef, providerStatus, state: { state: 'processing' } } as const
    if (providerRef === null) await deps.db.batchInOrg(orgId, inboxed)
    const named = providerRef === null ? refund : await applyRefundFact(deps, refund, known, inboxed)
    await inquireRefund(deps, named)
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
    await deps.db.batchInOrg(orgId, [inbox('refused: the signature is not valid')])
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
  // Anybody can send unsigned messages, and few of them are stored, so their row is written first.
  if (delivery.verdict === 'unsigned') await deps.db.batchInOrg(orgId, [row])
  const loaded = await loadPayment(deps, orgId, paymentId)
  const attempt = loaded.attempts.find(({ state }) => state === 'succeeded')
  if (attempt) await settleRefunds(deps, loaded, attempt)
  if (delivery.verdict === 'verified') await deps.db.batchInOrg(orgId, [row])
}
