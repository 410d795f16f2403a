import type { Database } from '../../../db/database.ts'
import type { Caller, Role } from '../../../lib/access.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { recordAudit } from '../../audit-log/record-audit.ts'
import { queueNotification } from '../../notifications/queue-notification.ts'
import { getOrganizationById } from '../get-organization.ts'
import { isMemberByEmail } from '../members/get-member.ts'
import { assertMayGiveRole } from '../rules.ts'
import { alreadyAMember, alreadyInvited } from './errors.ts'
import type { Invitation } from './record.ts'
import { expiryFrom, invitationLifetimeDays } from './rules.ts'
import { toInvitationView } from './schema.ts'
import { expireInvitations, insertInvitation } from './store.ts'

export async function inviteMember(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  input: { orgId: string; email: string; role: Role },
): Promise<Invitation> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  assertMayGiveRole(caller, input.role)
  const organization = await getOrganizationById(deps, orgId)
  const now = deps.clock.now()
  return deps.db.inOrg(orgId, async (tx) => {
    if (await isMemberByEmail(tx, orgId, input.email)) throw alreadyAMember()
    await expireInvitations(tx, orgId, input.email, now)
    const invitation = await insertInvitation(tx, orgId, {
      invitationId: newId(),
      email: input.email,
      role: input.role,
      invitedBy: caller.userId,
      expiresAt: expiryFrom(now),
    })
    if (!invitation) throw alreadyInvited()
    await recordAudit(tx, caller, orgId, {
      action: 'invitation.create',
      resourceType: 'invitation',
      resourceId: invitation.invitationId,
      after: toInvitationView(invitation, now),
    })
    const notice = {
      userId: null,
      template: 'member-invited',
      recipient: input.email,
      country: organization.country,
      variables: { orgName: organization.name, role: input.role, days: String(invitationLifetimeDays) },
      link: { kind: 'invitation', id: invitation.invitationId },
    } as const
    await queueNotification(tx, orgId, notice, caller.origin.requestId)
    return invitation
  })
}
