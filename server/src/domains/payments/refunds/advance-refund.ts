import type { Connector } from '../../../connectors/kit/connector.ts'
import { notFound } from '../../../lib/errors.ts'
import { insertException } from '../../exceptions/raise-exception.ts'
import { loadPayment } from '../get-payment.ts'
import { notFoundWindow } from '../../provider-accounts/rules.ts'
import type { PaymentDeps } from '../record.ts'
import { neverReceived } from '../attempts/read-inquiry.ts'
import type { Fact } from '../rules.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { refundRequest } from './refund-payment.ts'
import { isOpenRefund, type Refund } from './record.ts'
import { findRefund, selectRefunds } from './store.ts'

const latePollMs = 6 * 60 * 60_000
const limitMs = 14 * 24 * 60 * 60_000

/** Polls the provider for an open refund. Without an inquiry API only its webhook or a person can end it. */
export async function advanceRefund(
  deps: PaymentDeps,
  input: { orgId: string; refundId: string; poll: number },
): Promise<number | undefined> {
  const found = await deps.db.inOrg(input.orgId, (tx) => findRefund(tx, input.orgId, input.refundId))
  if (!found) throw notFound('The refund')
  const refund = isOpenRefund(found) ? await inquire(deps, found) : found
  if (!isOpenRefund(refund)) return undefined
  if (deps.clock.now().getTime() - refund.createdAt.getTime() < limitMs)
    return deps.pollSchedule.refundMs[input.poll] ?? latePollMs
  await deps.db.batchInOrg(refund.orgId, [
    insertException(refund.orgId, {
      kind: 'refund_unknown',
      paymentId: refund.paymentId,
      provider: refund.provider,
      findingKey: `refund_unknown ${refund.refundId}`,
      summary: 'The provider has not said what became of a refund for two weeks.',
      suggestedAction: 'Ask the provider with the refund’s reference and settle it by hand.',
    }),
  ])
  return undefined
}

/** The database allows at most one open refund per payment. */
export async function advanceOpenRefund(deps: PaymentDeps, orgId: string, paymentId: string): Promise<void> {
  const refunds = await deps.db.inOrg(orgId, (tx) => selectRefunds(tx, orgId, paymentId))
  const open = refunds.find(isOpenRefund)
  if (open) await inquire(deps, open)
}

async function inquire(deps: PaymentDeps, refund: Refund): Promise<Refund> {
  const loaded = await loadPayment(deps, refund.orgId, refund.paymentId)
  const attempt = loaded.attempts.find((candidate) => candidate.state === 'succeeded')
  const connector = await deps.connectors.load(refund.orgId, refund.accountId)
  if (!attempt || !connector?.inquireRefund) return refund
  const view = toConnectorAttempt(loaded.payment, attempt)
  const request = refundRequest(loaded, refund)
  const inquiry = await connector.inquireRefund(view, request)
  if (inquiry.kind === 'accepted') return applyRefundFact(deps, refund, inquiry)
  const isLost =
    inquiry.kind === 'not_found' &&
    isPastWindow(deps, connector, refund) &&
    (await connector.inquireRefund(view, request)).kind === 'not_found'
  const fact: Fact = isLost ? neverReceived : { kind: 'unknown', reason: inquiry.kind }
  return applyRefundFact(deps, refund, fact)
}

/** Only if the connector declares when "not found" is final, and the sender can no longer be running. */
function isPastWindow(deps: PaymentDeps, connector: Connector, refund: Refund): boolean {
  const notFoundFinalAfterMs = notFoundWindow(connector, refund.createdAt)
  if (notFoundFinalAfterMs === undefined) return false
  const ageMs = deps.clock.now().getTime() - refund.createdAt.getTime()
  return ageMs >= Math.max(notFoundFinalAfterMs, deps.sendDeadlineMs)
}
