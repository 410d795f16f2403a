import type { Connector } from '../../../connectors/kit/connector.ts'
import { notFound } from '../../../lib/errors.ts'
import { insertException } from '../../exceptions/raise-exception.ts'
import { loadPayment } from '../get-payment.ts'
import type { PaymentDeps } from '../payment-deps.ts'
import { neverReceived } from '../attempts/read-inquiry.ts'
import type { Fact } from '../rules.ts'
import { attemptView } from '../attempts/send-attempt.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { refundRequest } from './refund-payment.ts'
import { findRefund, selectRefunds, type Refund } from './store.ts'

const latePollMs = 6 * 60 * 60_000
const limitMs = 14 * 24 * 60 * 60_000

/** Asks about an open refund. Where the provider cannot be asked, its webhook or a person must tell. */
export async function advanceRefund(
  deps: PaymentDeps,
  input: { orgId: string; refundId: string; look: number },
): Promise<number | undefined> {
  const found = await deps.db.inOrg(input.orgId, (tx) => findRefund(tx, input.orgId, input.refundId))
  if (!found) throw notFound('The refund')
  const refund = isOpen(found) ? await ask(deps, found) : found
  if (!isOpen(refund)) return undefined
  if (deps.clock.now().getTime() - refund.createdAt.getTime() < limitMs)
    return deps.pollSchedule.refundMs[input.look] ?? latePollMs
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

/** At most one refund of a payment is open; the database sees to it. */
export async function advanceOpenRefund(deps: PaymentDeps, orgId: string, paymentId: string): Promise<void> {
  const refunds = await deps.db.inOrg(orgId, (tx) => selectRefunds(tx, orgId, paymentId))
  const open = refunds.find(isOpen)
  if (open) await ask(deps, open)
}

const isOpen = (refund: Refund): boolean => refund.state !== 'completed' && refund.state !== 'failed'

async function ask(deps: PaymentDeps, refund: Refund): Promise<Refund> {
  const loaded = await loadPayment(deps, refund.orgId, refund.paymentId)
  const attempt = loaded.attempts.find((candidate) => candidate.state === 'succeeded')
  const connector = await deps.connectors.load(refund.orgId, refund.provider)
  if (!attempt || !connector?.inquireRefund) return refund
  const view = attemptView(loaded.payment, attempt)
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

/** Only where the connector says that "not found" is final, and when nobody can be sending it any more. */
function isPastWindow(deps: PaymentDeps, { notFoundFinalAfterMs }: Connector, refund: Refund): boolean {
  if (notFoundFinalAfterMs === undefined) return false
  const ageMs = deps.clock.now().getTime() - refund.createdAt.getTime()
  return ageMs >= Math.max(notFoundFinalAfterMs, deps.sendDeadlineMs)
}
