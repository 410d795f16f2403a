import { z } from 'zod'
import type { Tx } from '../../../../kernel/db/database.ts'
import { roles, type Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import { recordAudit } from '../../../records/audit-log/record-audit.ts'
import type { ChangeApplier, MaybeHeld } from '../../change-requests/record.ts'
import { recordEmpowerment } from '../../empowerments/record-empowerment.ts'
import type { LimitMails } from '../../notifications/limit-mails.ts'
import { queueNotification } from '../../notifications/queue-notification.ts'
import { alreadyMember } from '../errors.ts'
import type { Organization } from '../record.ts'
import { assertMayGiveRole, changesControl } from '../rules.ts'
import { toMemberView } from '../schema.ts'
import { findOrganization } from '../store.ts'
import type { MemberChangeDeps } from './change-member.ts'
import type { Member, NewMember } from './record.ts'
import { insertMember } from './store.ts'

interface AdditionDeps {
  limitMails: LimitMails
}

export function addMember(
  deps: MemberChangeDeps & AdditionDeps,
  caller: Caller,
  input: NewMember & { orgId: string },
): Promise<MaybeHeld<Member>> {
  const { orgId: requestedOrgId, ...member } = input
  const orgId = orgInScope(caller, requestedOrgId, 'write')
  assertMayGiveRole(caller, member.role)
  return deps.db.inOrg(orgId, async (tx) => {
    if (changesControl(undefined, { role: member.role, grants: [], revocations: [] })) {
      const held = await deps.changeControl.hold(tx, caller, {
        orgId,
        kind: 'member.add',
        payload: member,
        summary: `Add ${member.email} with the role ${member.role}.`,
      })
      if (held) return { held }
    }
    await recordEmpowerment(tx, caller, { orgId, userId: member.userId })
    return { done: await writeAddition(deps, tx, caller, { orgId, ...member }) }
  })
}

const requested = z.object({
  userId: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  country: z.string().nullable(),
  role: z.enum(roles),
})

export const memberAdditionApplier = (deps: AdditionDeps): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload }) {
    const member = requested.parse(payload)
    assertMayGiveRole(approver, member.role)
    await writeAddition(deps, tx, approver, { orgId, ...member })
  },
})

/** The welcome goes to an address of the caller's choice, unlike that of somebody who accepts an invitation. */
async function writeAddition(
  deps: AdditionDeps,
  tx: Tx,
  caller: Caller,
  { orgId, ...member }: NewMember & { orgId: string },
): Promise<Member> {
  const added = await admitMember(tx, caller, orgId, member)
  await deps.limitMails(tx, orgId, member.email)
  return added
}

/** For the transaction that admits the member: writes member and audit row and queues the welcome mail. */
export async function admitMember(tx: Tx, caller: Caller, orgId: string, input: NewMember): Promise<Member> {
  const organization = await findOrganization(tx, orgId)
  if (!organization) throw notFound('The organisation')
  const member = await insertMember(tx, orgId, input)
  if (!member) throw alreadyMember()
  await recordAudit(tx, caller, orgId, {
    action: 'member.add',
    resourceType: 'member',
    resourceId: member.userId,
    after: toMemberView(member),
  })
  await welcomeMember(tx, caller, organization, member)
  return member
}

export async function welcomeMember(
  tx: Tx,
  caller: Caller,
  organization: Organization,
  member: Member,
): Promise<void> {
  await queueNotification(
    tx,
    organization.orgId,
    {
      userId: member.userId,
      template: 'member-welcome',
      recipient: member.email,
      country: member.country ?? organization.country,
      variables: { firstName: member.firstName, orgName: organization.name, role: member.role },
    },
    caller.origin.requestId,
  )
}
