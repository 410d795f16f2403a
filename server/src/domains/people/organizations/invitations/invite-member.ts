import { z } from 'zod'
import type { Database, Tx } from '../../../../kernel/db/database.ts'
import { roles, type Caller, type Role } from '../../../../lib/requests/access.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { newId } from '../../../../lib/ids.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeControl, MaybeHeld } from '../../change-requests/record.ts'
import type { LimitMails } from '../../notifications/limit-mails.ts'
import { queueNotification } from '../../notifications/queue-notification.ts'
import { getOrganizationIn } from '../reads.ts'
import { isMemberByEmail } from '../members/reads.ts'
import { assertMayGiveRole, changesControl, publicNameOf } from '../rules.ts'
import { alreadyAMember, alreadyInvited } from './errors.ts'
import type { Invitation } from './record.ts'
import { expiryFrom, invitationLifetimeDays } from './rules.ts'
import { toInvitationView } from './schema.ts'
import { expireInvitations, insertInvitation } from './store.ts'

interface NewInvitation {
  email: string
  role: Role
}

interface InviteDeps {
  clock: Clock
  limitMails: LimitMails
}

export function inviteMember(
  deps: InviteDeps & { db: Database; changeControl: ChangeControl },
  caller: Caller,
  input: NewInvitation & { orgId: string },
): Promise<MaybeHeld<Invitation>> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const { email, role } = input
  assertMayGiveRole(caller, role)
  return deps.db.inOrg(orgId, async (tx) => {
    if (changesControl(undefined, { role, grants: [], revocations: [] })) {
      if (await isMemberByEmail(tx, orgId, email)) throw alreadyAMember()
      const held = await deps.changeControl.hold(tx, caller, {
        orgId,
        kind: 'member.invite',
        payload: { email, role },
        summary: `Invite ${email} with the role ${role}.`,
      })
      if (held) return { held }
    }
    return { done: await writeInvitation(deps, tx, caller, { orgId, email, role, approvedBy: null }) }
  })
}

async function writeInvitation(
  deps: InviteDeps,
  tx: Tx,
  caller: Caller,
  { orgId, email, role, approvedBy }: NewInvitation & { orgId: string; approvedBy: string | null },
): Promise<Invitation> {
  const organization = await getOrganizationIn(tx, orgId)
  const now = deps.clock.now()
  if (await isMemberByEmail(tx, orgId, email)) throw alreadyAMember()
  await expireInvitations(tx, orgId, email, now)
  const invitation = await insertInvitation(tx, orgId, {
    invitationId: newId(),
    email,
    role,
    invitedBy: caller.userId,
    approvedBy,
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
    recipient: email,
    country: organization.country,
    variables: { orgName: publicNameOf(organization), role, days: String(invitationLifetimeDays) },
    link: { kind: 'invitation', id: invitation.invitationId },
  } as const
  await deps.limitMails(tx, orgId, email)
  await queueNotification(tx, orgId, notice, caller.origin.requestId)
  return invitation
}

const requested = z.object({ email: z.string(), role: z.enum(roles) })

export const invitationApplier = (deps: InviteDeps): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload }) {
    const invitation = requested.parse(payload)
    assertMayGiveRole(approver, invitation.role)
    await writeInvitation(deps, tx, approver, { orgId, ...invitation, approvedBy: approver.userId })
  },
})
