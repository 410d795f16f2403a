import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { notFound } from '../../lib/errors.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { featuresBelongToTheOperator } from './errors.ts'
import type { Organization, OrganizationChange } from './record.ts'
import { toOrganization } from './schema.ts'
import { lockOrganization, updateOrganizationRow } from './store.ts'

export function updateOrganization(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string } & OrganizationChange,
): Promise<Organization> {
  const { orgId: requestedOrgId, ...change } = input
  const orgId = orgInScope(caller, requestedOrgId, 'write')
  const isOperators =
    change.features !== undefined ||
    change.rateMarginBps !== undefined ||
    change.payoutsRequireKyb !== undefined
  if (isOperators && !caller.permissions.has('platform:write')) throw featuresBelongToTheOperator()
  return deps.db.inOrg(orgId, async (tx) => {
    const before = await lockOrganization(tx, orgId)
    if (!before) throw notFound('The organisation')
    const after = await updateOrganizationRow(tx, orgId, change)
    await recordAudit(tx, caller, orgId, {
      action: 'organization.update',
      resourceType: 'organization',
      resourceId: orgId,
      before: toOrganization(before),
      after: toOrganization(after),
    })
    return after
  })
}
