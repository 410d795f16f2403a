import type { Caller } from '../../../lib/requests/access.ts'
import { forbidden } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { ChangeRequest, ChangeRequestDeps } from './record.ts'
import { recordDecision } from './record-decision.ts'

export const cancelRequest = (
  deps: Pick<ChangeRequestDeps, 'db' | 'clock'>,
  caller: Caller,
  input: { orgId: string; requestId: string },
): Promise<ChangeRequest> =>
  recordDecision(deps, caller, {
    ...input,
    orgId: orgInScope(caller, input.orgId, 'write'),
    comments: null,
    status: 'canceled',
    assertMay({ requestedBy }) {
      if (requestedBy !== caller.userId)
        throw forbidden('Only the member who asked for the change can cancel it. You can reject it instead.')
    },
  })
