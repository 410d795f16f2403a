import type { Caller } from '../../../lib/requests/access.ts'
import { noEvidence } from './errors.ts'
import { readEvidence } from './evidence/read-evidence.ts'
import { loadDispute } from './reads.ts'
import type { Dispute, DisputeDeps } from './record.ts'
import { sendResponse } from './send-response.ts'

/** Sends all evidence that was added to the provider, once. The bank decides on it. */
export async function submitEvidence(
  deps: DisputeDeps,
  caller: Caller,
  { disputeId }: { disputeId: string },
): Promise<Dispute> {
  const dispute = await loadDispute(deps, { orgId: caller.orgId, disputeId })
  const evidence = await readEvidence(deps, dispute)
  if (evidence.files.length === 0 && Object.keys(evidence.texts).length === 0) throw noEvidence()
  return sendResponse(deps, caller, {
    disputeId,
    action: 'submit',
    isOffered: (connector) => connector.submitEvidence !== undefined,
    call: (connector, subject) => connector.submitEvidence?.(subject, evidence),
  })
}
