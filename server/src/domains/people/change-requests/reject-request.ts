import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { ChangeRequest, ChangeRequestDeps } from './record.ts'
import { assertMayDecide } from './rules.ts'
import { recordDecision } from './record-decision.ts'

export const rejectRequest = (
  deps: Pick<ChangeRequestDeps, 'db' | 'clock'>,
  caller: Caller,
  input: { orgId: string; requestId: string; comments: string | null },
): Promise<ChangeRequest> =>
  recordDecision(deps, caller, {
    ...input,
    orgId: orgInScope(caller, input.orgId, 'write'),
    status: 'rejected',
    assertMay: (request) => assertMayDecide(caller, request),
  })
