import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { notFound } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import { invitationOver } from './errors.ts'
import { statusAt } from './rules.ts'
import { toInvitationView } from './schema.ts'
import { endInvitation, findInvitation } from './store.ts'

export function revokeInvitation(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  input: { orgId: string; invitationId: string },
): Promise<void> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { invitationId } = input
  const now = deps.clock.now()
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await findInvitation(tx, orgId, invitationId)
    if (!before) throw notFound('The invitation')
    const after = await endInvitation(tx, orgId, { invitationId, status: 'revoked', acceptedBy: null })
    if (!after) throw invitationOver(statusAt(before, now))
    await recordAudit(tx, caller, orgId, {
      action: 'invitation.revoke',
      resourceType: 'invitation',
      resourceId: invitationId,
      before: toInvitationView(before, now),
    })
  })
}
