import type { Database, Tx } from '../../../db/database.ts'
import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { orgInScope } from '../../../lib/org-scope.ts'
import { recordAudit } from '../../audit-log/record-audit.ts'
import { queueNotification } from '../../notifications/queue-notification.ts'
import { alreadyMember } from '../errors.ts'
import type { Organization } from '../record.ts'
import { assertMayGiveRole } from '../rules.ts'
import { toMemberView } from '../schema.ts'
import { findOrganization } from '../store.ts'
import type { Member, NewMember } from './record.ts'
import { insertMember } from './store.ts'

export function addMember(
  deps: { db: Database },
  caller: Caller,
  input: NewMember & { orgId: string },
): Promise<Member> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  assertMayGiveRole(caller, input.role)
  return deps.db.inOrg(orgId, (tx) => admitMember(tx, caller, orgId, input))
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
