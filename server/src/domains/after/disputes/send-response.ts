import { randomUUID } from 'node:crypto'
import type { Connector } from '../../../connectors/kit/connector.ts'
import type { DisputeOutcome, DisputeSubject } from '../../../connectors/kit/disputes.ts'
import { isStaleVersion } from '../../../kernel/db/errors.ts'
import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { auditStatement } from '../../records/audit-log/record-audit.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { applyOutcome } from './apply-outcome.ts'
import { actionUnderWay, changedMeanwhile, notAwaiting, notOffered } from './errors.ts'
import { loadDispute } from './reads.ts'
import type { Dispute, DisputeAction, DisputeDeps, PendingAction } from './record.ts'
import { awaitsResponse } from './rules.ts'
import { updateDispute } from './store.ts'

/** After this time without a known outcome, an exception was raised and people may respond again. */
export const unknownLimitMs = 24 * 60 * 60_000

interface Response {
  disputeId: string
  action: DisputeAction
  isOffered(connector: Connector): boolean
  call(connector: Connector, subject: DisputeSubject): Promise<DisputeOutcome> | undefined
}

/**
 * Sends a response to the provider. It is written before it is sent, so a crash leaves it as unknown and the engine
 * asks what became of it. It is never sent twice and never marked as failed while the outcome is unknown.
 */
export async function sendResponse(deps: DisputeDeps, caller: Caller, response: Response): Promise<Dispute> {
  const { orgId } = caller
  const { action } = response
  const dispute = await loadDispute(deps, { orgId, disputeId: response.disputeId })
  // Taken before the time of the database, so it is over before the deadline that others judge by.
  const sendBeforeMs = monotonicMs(deps.clock) + deps.sendDeadlineMs
  const now = await deps.db.now()
  assertRespondable(dispute, now)
  const connector = await deps.connectors.load(orgId, dispute.accountId)
  if (!connector || !response.isOffered(connector)) throw notOffered(dispute.provider, action)
  const subject = await subjectOf(deps, dispute)
  const pending: PendingAction = {
    action,
    state: 'sending',
    reference: subject.reference,
    userId: caller.userId,
    startedAt: now,
  }
  const sending = await writePending(deps, caller, dispute, pending)
  return applyOutcome(
    deps,
    sending,
    await callProvider(deps, sending, { sendBeforeMs, call: async () => response.call(connector, subject) }),
  )
}

function assertRespondable(dispute: Dispute, now: Date): void {
  const { pending } = dispute
  const isRecent = pending && now.getTime() - pending.startedAt.getTime() < unknownLimitMs
  if (isRecent) throw actionUnderWay(pending.action)
  if (!awaitsResponse(dispute.state)) throw notAwaiting(dispute)
}

async function subjectOf(deps: DisputeDeps, dispute: Dispute): Promise<DisputeSubject> {
  const { attempts } = await loadPayment(deps, dispute.orgId, dispute.paymentId)
  const attempt = attempts.find((one) => one.state === 'succeeded')
  return {
    providerRef: dispute.providerRef,
    reference: randomUUID(),
    amount: { amountMinor: dispute.amountMinor, currency: dispute.currency },
    attemptReference: attempt?.reference ?? '',
  }
}

async function writePending(
  deps: DisputeDeps,
  caller: Caller,
  dispute: Dispute,
  pending: PendingAction,
): Promise<Dispute> {
  const { orgId, disputeId } = dispute
  const sending = { ...dispute, pending, version: dispute.version + 1, updatedAt: pending.startedAt }
  const due = { inMs: deps.sendDeadlineMs }
  try {
    await deps.db.batchInOrg(orgId, [
      updateDispute(orgId, dispute.version, sending),
      enqueueStatement(orgId, [{ ...superviseJob({ orgId, disputeId }), outboxId: pending.reference, due }]),
      auditStatement(caller, orgId, {
        action: `dispute.${pending.action}`,
        resourceType: 'dispute',
        resourceId: disputeId,
        before: { state: dispute.state },
      }),
    ])
  } catch (error) {
    throw isStaleVersion(error) ? changedMeanwhile() : error
  }
  return sending
}

export const superviseJob = ({ orgId, disputeId }: Pick<Dispute, 'orgId' | 'disputeId'>) => ({
  service: 'Disputes',
  handler: 'supervise',
  payload: { orgId, disputeId },
})

async function callProvider(
  deps: DisputeDeps,
  { provider, disputeId }: Dispute,
  { sendBeforeMs, call }: { sendBeforeMs: number; call: () => Promise<DisputeOutcome | undefined> },
): Promise<DisputeOutcome> {
  // This process may have been suspended; past the deadline the engine may have concluded that nothing was sent.
  if (monotonicMs(deps.clock) >= sendBeforeMs)
    return { kind: 'not_sent', reason: 'it was not sent before its deadline' }
  try {
    return (await call()) ?? { kind: 'not_sent', reason: 'the provider has no such call' }
  } catch (error) {
    deps.log.error({ err: error, provider, disputeId }, 'a connector threw')
    return { kind: 'unknown', reason: 'the connector failed' }
  }
}
