import type { Database } from '../../../kernel/db/database.ts'
import { rolePermissions, type Caller } from '../../../lib/requests/access.ts'
import { conflict } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { NewMember } from './members/record.ts'
import { findPlatformAdminAcrossOrgs, insertMember } from './members/store.ts'
import { toMemberView } from './schema.ts'
import { insertOrganizationAcrossOrgs } from './store.ts'

/** Sets up a new installation: the operator's organisation and the first platform-admin. It works once. */
export function bootstrapPlatform(
  deps: { db: Database },
  input: { name: string; country: string; admin: Omit<NewMember, 'role'> },
): Promise<Caller> {
  return deps.db.acrossOrgs(async (tx) => {
    if (await findPlatformAdminAcrossOrgs(tx))
      throw conflict('This installation already has a platform-admin.')
    const { orgId } = await insertOrganizationAcrossOrgs(tx, { ...input, orgId: newId(), features: [] })
    const admin = await insertMember(tx, orgId, { ...input.admin, role: 'platform-admin' })
    if (!admin) throw conflict('The platform-admin could not be added.')
    const caller: Caller = {
      orgId,
      userId: admin.userId,
      role: 'platform-admin',
      permissions: new Set(rolePermissions['platform-admin']),
      features: new Set(),
      credential: { kind: 'jwt' },
      origin: { ip: 'local', userAgent: undefined, requestId: newId() },
    }
    await recordAudit(tx, caller, orgId, {
      action: 'platform.bootstrap',
      resourceType: 'member',
      resourceId: admin.userId,
      after: toMemberView(admin),
    })
    return caller
  })
}
