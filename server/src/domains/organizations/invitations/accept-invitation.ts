import { rolePermissions, type Caller, type Origin } from '../../../lib/access.ts'
import type { Identity } from '../../../lib/token.ts'
import { enterMember } from '../members/add-member.ts'
import { invitationOfAnother, invitationOver } from './errors.ts'
import { findByToken } from './open-invitation.ts'
import type { Invitation, InvitationDeps } from './record.ts'
import { statusAt } from './rules.ts'
import { endInvitation } from './store.ts'

export interface Acceptance {
  token: string
  /** Who accepts, as the identity provider says. */
  identity: Identity
  firstName: string
  lastName: string
  country: string | null
}

/** Makes the person behind the token a member, once. The invitation's link alone is not enough, nor is a token. */
export async function acceptInvitation(
  deps: InvitationDeps,
  origin: Origin,
  input: Acceptance,
): ReturnType<typeof enterMember> {
  const { userId, email } = input.identity
  const invitation = await findByToken(deps, input.token)
  const status = statusAt(invitation, deps.clock.now())
  if (status !== 'pending') throw invitationOver(status)
  if (email !== undefined && email.toLowerCase() !== invitation.email.toLowerCase())
    throw invitationOfAnother()
  const { orgId, invitationId, role } = invitation
  return deps.db.inOrg(orgId, async (tx) => {
    const ended = await endInvitation(tx, orgId, { invitationId, status: 'accepted', acceptedBy: userId })
    if (!ended) throw invitationOver('accepted or revoked')
    const { firstName, lastName, country } = input
    return enterMember(tx, newcomer(invitation, userId, origin), orgId, {
      userId,
      email: invitation.email,
      firstName,
      lastName,
      country,
      role,
    })
  })
}

/** For the audit log: they let themselves in. */
const newcomer = ({ orgId, role }: Invitation, userId: string, origin: Origin): Caller => ({
  orgId,
  userId,
  role,
  permissions: new Set(rolePermissions[role]),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin,
})
