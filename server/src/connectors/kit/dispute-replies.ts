import { failureOf } from './failures.ts'
import type { DisputeInquiry, DisputeOutcome, ProviderDispute } from './disputes.ts'
import type { RefusedReply, Reply } from './replies.ts'

export const declinedResponse = (message: string): DisputeOutcome => ({
  kind: 'declined',
  code: 'PROVIDER_REFUSED',
  message,
})

/** A refusal that a repeat of the same call would cause too proves nothing about the first call. */
export function responseOutcome(
  reply: Reply,
  read: (data: unknown) => ProviderDispute | undefined,
  isClear: (refusal: RefusedReply) => boolean,
): DisputeOutcome {
  if (reply.kind === 'handled') return { kind: 'accepted', dispute: read(reply.data) }
  if (reply.kind !== 'refused') return reply
  return isClear(reply)
    ? declinedResponse(failureOf('PROVIDER_REFUSED').message)
    : { kind: 'unknown', reason: `HTTP ${reply.status}` }
}

/** A call that prepares a response: whatever its result, the response itself was not sent. */
export function notPreparedResponse(reply: Reply, missing: string): DisputeOutcome {
  if (reply.kind === 'refused') return declinedResponse(missing)
  return { kind: 'not_sent', reason: 'reason' in reply ? reply.reason : missing }
}

export function disputeInquiry(
  reply: Reply,
  read: (data: unknown) => ProviderDispute | undefined,
): DisputeInquiry {
  if (reply.kind === 'refused' && reply.status === 404) return { kind: 'not_found' }
  const dispute = reply.kind === 'handled' ? read(reply.data) : undefined
  if (dispute) return { kind: 'found', dispute }
  return { kind: 'unknown', reason: 'reason' in reply ? reply.reason : 'no readable answer' }
}
