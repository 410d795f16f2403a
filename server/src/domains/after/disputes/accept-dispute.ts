import type { Caller } from '../../../lib/requests/access.ts'
import type { Dispute, DisputeDeps } from './record.ts'
import { sendResponse } from './send-response.ts'

/** Concedes the dispute: the payer keeps the money. */
export const acceptDispute = (
  deps: DisputeDeps,
  caller: Caller,
  { disputeId }: { disputeId: string },
): Promise<Dispute> =>
  sendResponse(deps, caller, {
    disputeId,
    action: 'accept',
    isOffered: (connector) => connector.acceptDispute !== undefined,
    call: (connector, subject) => connector.acceptDispute?.(subject),
  })
