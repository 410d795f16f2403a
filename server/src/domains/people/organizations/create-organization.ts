import type { Database } from '../../../kernel/db/database.ts'
import type { Caller, Feature } from '../../../lib/requests/access.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { recordEmpowerment } from '../empowerments/record-empowerment.ts'
import { alreadyMember } from './errors.ts'
import { welcomeMember } from './members/add-member.ts'
import type { NewMember } from './members/record.ts'
import { insertMember } from './members/store.ts'
import type { Organization } from './record.ts'
import { toMemberView, toOrganization } from './schema.ts'
import { insertOrganizationAcrossOrgs } from './store.ts'

/** Creates an organisation together with its first administrator. */
export function createOrganization(
  deps: { db: Database },
  caller: Caller,
  input: { name: string; country: string; features: readonly Feature[]; admin: Omit<NewMember, 'role'> },
): Promise<Organization> {
  return deps.db.acrossOrgs(async (tx) => {
    const organization = await insertOrganizationAcrossOrgs(tx, { ...input, orgId: newId() })
    const { orgId } = organization
    const admin = await insertMember(tx, orgId, { ...input.admin, role: 'org-admin' })
    if (!admin) throw alreadyMember()
    await recordEmpowerment(tx, caller, { orgId, userId: admin.userId })
    await recordAudit(tx, caller, orgId, {
      action: 'organization.create',
      resourceType: 'organization',
      resourceId: orgId,
      after: toOrganization(organization),
    })
    await recordAudit(tx, caller, orgId, {
      action: 'member.add',
      resourceType: 'member',
      resourceId: admin.userId,
      after: toMemberView(admin),
    })
    await welcomeMember(tx, caller, organization, admin)
    return organization
  })
}
