import { isStaleVersion } from '../../../kernel/db/errors.ts'
import { insertException } from '../../people/exceptions/raise-exception.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { applyReport } from './apply-report.ts'
import { actionUnknown } from './errors.ts'
import { loadDispute } from './reads.ts'
import type { Dispute, DisputeDeps } from './record.ts'
import { awaitsResponse } from './rules.ts'
import { unknownLimitMs } from './send-response.ts'
import { updateDispute } from './store.ts'

const latePollMs = 30 * 60_000
/** A provider that still awaits a response after this time has not received the one that was sent. */
const receivedWithinMs = 15 * 60_000

/** Asks the provider what became of a response. Returns the time until the next question. */
export async function advanceDispute(
  deps: DisputeDeps,
  input: { orgId: string; disputeId: string; poll: number },
): Promise<number | undefined> {
  const found = await loadDispute(deps, input)
  if (!found.pending) return undefined
  const ageMs = (await deps.db.now()).getTime() - found.pending.startedAt.getTime()
  if (found.pending.state === 'sending' && ageMs < deps.sendDeadlineMs) return deps.sendDeadlineMs - ageMs
  const dispute = await inquire(deps, found, ageMs >= receivedWithinMs)
  if (!dispute.pending) return undefined
  if (ageMs < unknownLimitMs) return deps.pollSchedule.refundMs[input.poll] ?? latePollMs
  await deps.db.batchInOrg(dispute.orgId, [
    insertException(dispute.orgId, actionUnknown(dispute, dispute.pending.action)),
  ])
  return undefined
}

async function inquire(deps: DisputeDeps, dispute: Dispute, isReceivedByNow: boolean): Promise<Dispute> {
  const { orgId, paymentId, accountId, providerRef } = dispute
  const connector = await deps.connectors.load(orgId, accountId)
  const inquiry = await connector?.inquireDispute?.(providerRef)
  if (inquiry?.kind !== 'found') return dispute
  const loaded = await loadPayment(deps, orgId, paymentId)
  const attempt = loaded.attempts.find((one) => one.state === 'succeeded')
  if (!attempt) return dispute
  const after = await applyReport(deps, { loaded, attempt }, inquiry.dispute)
  const isAwaited = inquiry.dispute.state !== undefined && awaitsResponse(inquiry.dispute.state)
  const isMissing = after.pending && isAwaited && inquiry.dispute.hasEvidence !== true
  return isMissing && isReceivedByNow ? clearPending(deps, after) : after
}

/** The provider reports that it has received nothing, so people may respond again. */
async function clearPending(deps: DisputeDeps, dispute: Dispute): Promise<Dispute> {
  const cleared = { ...dispute, pending: null, version: dispute.version + 1, updatedAt: deps.clock.now() }
  try {
    await deps.db.batchInOrg(dispute.orgId, [updateDispute(dispute.orgId, dispute.version, cleared)])
    return cleared
  } catch (error) {
    if (!isStaleVersion(error)) throw error
    return dispute
  }
}
