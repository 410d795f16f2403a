import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { assertIndependent } from '../empowerments/reads.ts'
import { getRequest } from './reads.ts'
import { changeContext, type ChangeRequest, type ChangeRequestDeps } from './record.ts'
import { assertMayDecide, assertPending } from './rules.ts'
import { closeRequest } from './close-request.ts'

/** Makes the change in the transaction that records the approval. If it is refused, the request keeps waiting. */
export async function approveRequest(
  deps: ChangeRequestDeps,
  caller: Caller,
  input: { orgId: string; requestId: string; comments: string | null },
): Promise<ChangeRequest> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const seen = await getRequest(deps, caller, input)
  assertPending(seen, deps.clock.now())
  assertMayDecide(caller, seen)
  await assertIndependent(deps, caller, { orgId, others: [seen.requestedBy], isChangeRequest: true })
  const secret =
    seen.payloadSealed && (await deps.vault.open(orgId, changeContext(seen.requestId), seen.payloadSealed))
  const applier = deps.changeAppliers[seen.kind]
  const approved = await closeRequest(deps, caller, {
    ...input,
    orgId,
    status: 'approved',
    isOperators: applier.isOperators,
    assertMay: (request) => assertMayDecide(caller, request),
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
