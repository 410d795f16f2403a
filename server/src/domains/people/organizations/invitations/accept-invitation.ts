import { rolePermissions, type Caller, type Origin } from '../../../../lib/requests/access.ts'
import type { Identity } from '../../../../lib/crypto/token.ts'
import { recordInvited } from '../../empowerments/record-empowerment.ts'
import { admitMember } from '../members/add-member.ts'
import { findMemberIn } from '../members/reads.ts'
import { changesControl } from '../rules.ts'
import { addressNotVerified, approvalMissing, invitationOfAnother, invitationOver } from './errors.ts'
import { findByToken } from './open-invitation.ts'
import type { Invitation, InvitationDeps } from './record.ts'
import { statusAt } from './rules.ts'
import { endInvitation } from './store.ts'

interface Acceptance {
  token: string
  /** The accepting user, as the identity provider states. */
  identity: Identity
  firstName: string
  lastName: string
  country: string | null
}

/** Makes the user a member, once. It takes both the invitation's code and the invited user's access token. */
export async function acceptInvitation(
  deps: InvitationDeps,
  origin: Origin,
  input: Acceptance,
): ReturnType<typeof admitMember> {
  const { userId, verifiedEmail } = input.identity
  const invitation = await findByToken(deps, input.token)
  const status = statusAt(invitation, deps.clock.now())
  if (status !== 'pending') throw invitationOver(status)
  if (verifiedEmail === undefined) throw addressNotVerified()
  if (verifiedEmail.toLowerCase() !== invitation.email.toLowerCase()) throw invitationOfAnother()
  const { orgId, invitationId, role } = invitation
  return deps.db.inOrg(orgId, async (tx) => {
    const givesControl = changesControl(undefined, { role, grants: [], revocations: [] })
    // The organisation may have had no policies when the invitation was sent.
    if (givesControl && invitation.approvedBy === null && (await deps.changeControl.isControlled(tx, orgId)))
      throw approvalMissing()
    const ended = await endInvitation(tx, orgId, { invitationId, status: 'accepted', acceptedBy: userId })
    if (!ended) throw invitationOver('accepted or revoked')
    if (invitation.approvedBy === null) {
      // Whoever invites without being a member is the operator.
      const isByOperator = (await findMemberIn(tx, orgId, invitation.invitedBy)) === undefined
      await recordInvited(tx, orgId, { userId, empoweredBy: invitation.invitedBy, isByOperator })
    }
    const { firstName, lastName, country } = input
    return admitMember(tx, newMemberCaller(invitation, userId, origin), orgId, {
      userId,
      email: invitation.email,
      firstName,
      lastName,
      country,
      role,
    })
  })
}

/** The new member is the actor in the audit log. */
const newMemberCaller = ({ orgId, role }: Invitation, userId: string, origin: Origin): Caller => ({
  orgId,
  userId,
  role,
  permissions: new Set(rolePermissions[role]),
  features: new Set(),
  credential: { kind: 'jwt' },
  origin,
})
