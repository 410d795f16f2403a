import type { Connector } from '../../../connectors/kit/connector.ts'
import { notFound } from '../../../lib/errors.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { loadPayment } from '../reads/get-payment.ts'
import { notFoundWindow } from '../../providers/accounts/rules.ts'
import type { PaymentDeps } from '../record.ts'
import { readInquiry, type InquirySubject } from '../attempts/read-inquiry.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { refundRequest } from './send-refund.ts'
import { isOpenRefund, isWaitingRefund, type Refund } from './record.ts'
import { isRefundInDoubt } from './rules.ts'
import { findRefund, selectRefunds, setNotFound } from './store.ts'

const latePollMs = 6 * 60 * 60_000

/** Polls the provider for an open refund. Without an inquiry API only its webhook or a person can end it. */
export async function advanceRefund(
  deps: PaymentDeps,
  input: { orgId: string; refundId: string; poll: number },
): Promise<number | undefined> {
  const found = await deps.db.inOrg(input.orgId, (tx) => findRefund(tx, input.orgId, input.refundId))
  if (!found) throw notFound('The refund')
  const refund = isOpenRefund(found) ? await inquire(deps, found, { isScheduled: true }) : found
  if (!isOpenRefund(refund)) return undefined
  if (!isRefundInDoubt(refund, { pollSchedule: deps.pollSchedule, now: await deps.db.now() }))
    return deps.pollSchedule.refundMs[input.poll] ?? latePollMs
  await deps.db.batchInOrg(refund.orgId, [
    insertException(refund.orgId, {
      kind: 'refund_unknown',
      paymentId: refund.paymentId,
      provider: refund.provider,
      findingKey: `refund_unknown ${refund.refundId}`,
      summary: 'The provider has not said what became of a refund for two weeks.',
    }),
  ])
  return deps.pollSchedule.doubtMs
}

/** The database allows one open refund of ours per payment; at the provider any number may have been made. */
export async function advanceOpenRefund(deps: PaymentDeps, orgId: string, paymentId: string): Promise<void> {
  const refunds = await deps.db.inOrg(orgId, (tx) => selectRefunds(tx, orgId, paymentId))
  for (const open of refunds.filter(isOpenRefund)) await inquireRefund(deps, open)
}

/** Inquires outside of the schedule. The answer about a refund that has ended may contradict what we recorded. */
export const inquireRefund = (deps: PaymentDeps, refund: Refund): Promise<Refund> =>
  inquire(deps, refund, { isScheduled: false })

async function inquire(
  deps: PaymentDeps,
  refund: Refund,
  { isScheduled }: { isScheduled: boolean },
): Promise<Refund> {
  if (isWaitingRefund(refund)) return refund
  const loaded = await loadPayment(deps, refund.orgId, refund.paymentId)
  const attempt = loaded.attempts.find((candidate) => candidate.state === 'succeeded')
  const connector = await deps.connectors.load(refund.orgId, refund.accountId)
  if (!attempt || !connector) return refund
  const view = toConnectorAttempt(loaded.payment, attempt)
  if (refund.origin === 'provider') {
    const listed = await connector.listRefunds?.({ attempt: view })
    const found = listed?.find(({ providerRef }) => providerRef === refund.providerRef)
    return found ? applyRefundFact(deps, refund, { kind: 'accepted', ...found }) : refund
  }
  if (!connector.inquireRefund) return refund
  const now = await deps.db.now()
  const inquiry = await connector.inquireRefund(view, refundRequest(loaded, refund))
  if (inquiry.kind === 'accepted') return applyRefundFact(deps, refund, inquiry)
  const { fact, notFoundCount } = readInquiry(inquiry, subjectOf(refund), {
    now,
    notFoundFinalAfterMs: finalAfterMs(deps, connector, refund),
    isScheduled: isScheduled && isSpaced(deps, refund, now),
  })
  const isCounted = isScheduled && notFoundCount !== refund.notFoundCount
  const counted = { count: notFoundCount, at: notFoundCount === 0 ? null : now }
  return applyRefundFact(
    deps,
    refund,
    fact ?? { kind: 'unknown', reason: inquiry.kind },
    isCounted ? [setNotFound(refund.orgId, refund.refundId, counted)] : [],
  )
}

/** The rule is that of payments. A refund that a dead process left as `sending` is unknown, too. */
const subjectOf = ({ state, begunAt, notFoundCount }: Refund): InquirySubject => ({
  state: state === 'accepted' ? 'accepted' : 'unknown',
  createdAt: begunAt,
  notFoundCount,
})

/** Only if the connector declares when "not found" is final, and the sender can no longer be running. */
function finalAfterMs(deps: PaymentDeps, connector: Connector, refund: Refund): number | undefined {
  const windowMs = notFoundWindow(connector, refund.begunAt)
  return windowMs === undefined ? undefined : Math.max(windowMs, deps.sendDeadlineMs)
}

/** A step that the engine repeats after a crash, or a second supervisor, must not count at the same moment. */
function isSpaced({ pollSchedule }: PaymentDeps, { notFoundAt }: Refund, now: Date): boolean {
  const spacingMs = Math.min(...pollSchedule.refundMs, latePollMs)
  return notFoundAt === null || now.getTime() - notFoundAt.getTime() >= spacingMs
}
