import type { Caller } from '../../../lib/requests/access.ts'
import { conflict } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { createDependence } from '../empowerments/reads.ts'
import { recordDecision } from './record-decision.ts'
import { getRequest, readStanding } from './reads.ts'
import { changeContext, type ChangeRequest, type ChangeRequestDeps } from './record.ts'
import { assertMayDecide, assertPending } from './rules.ts'

/**
 * Makes the change in the transaction that records the approval. If it is refused, the request keeps waiting. The first
 * of two operators only leaves their name.
 */
export async function approveRequest(
  deps: ChangeRequestDeps,
  caller: Caller,
  input: { orgId: string; requestId: string; comments: string | null },
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const seen = await getRequest(deps, caller, input)
  assertPending(seen, deps.clock.now())
  assertMayDecide(caller, seen)
  const { isFirst, dependence } = await readStanding(deps, createDependence(deps, caller), caller, seen)
  if (dependence) throw dependence
  const assertMay = (request: ChangeRequest): void => {
    assertMayDecide(caller, request)
    // Whoever approved it in between may be related to the caller, who was compared with the others only.
    if (request.reviewedBy !== seen.reviewedBy)
      throw conflict('Somebody else has approved this change at the same moment. Try again.')
  }
  if (isFirst) return recordDecision(deps, caller, { ...input, orgId, status: 'reviewed', assertMay })
  const secret =
    seen.payloadSealed && (await deps.vault.open(orgId, changeContext(seen.requestId), seen.payloadSealed))
  const applier = deps.changeAppliers[seen.kind]
  const approved = await recordDecision(deps, caller, {
    ...input,
    orgId,
    status: 'approved',
    isOperators: applier.isOperators,
    assertMay,
    apply: (tx) =>
      applier.apply(tx, caller, {
        orgId,
        requestId: seen.requestId,
        requestedBy: seen.requestedBy,
        payload: seen.payload,
        secret,
      }),
  })
  applier.applied?.()
  return approved
}
