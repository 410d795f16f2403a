import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { PolicyVersion, RoutingPolicyDeps } from './record.ts'
import { selectVersions } from './store.ts'

/** Whose policy is read, and the tenant that may see it. Every tenant sees the installation's, the operator by default. */
export function readScope(
  caller: Caller,
  requested: string | undefined,
): { ownerId: string; tenant: string } {
  const isOperator = caller.permissions.has('platform:write')
  if (requested === 'installation' || (requested === undefined && isOperator))
    return { ownerId: installationOrgId, tenant: caller.orgId }
  const orgId = orgInScope(caller, requested, 'read')
  return { ownerId: orgId, tenant: orgId }
}

export function listVersions(
  deps: Pick<RoutingPolicyDeps, 'db' | 'cursorKey'>,
  caller: Caller,
  input: { orgId: string | undefined; page: PageRequest },
): Promise<Page<PolicyVersion>> {
  const { ownerId, tenant } = readScope(caller, input.orgId)
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId: caller.orgId, route: 'routing-policies', filters: { org_id: ownerId } },
    read: (limit, position) =>
      deps.db.inOrg(tenant, (tx) =>
        selectVersions(tx, ownerId, { limit, before: position && Number(position.id) }),
      ),
    positionOf: ({ createdAt, version }) => ({ createdAt, id: String(version) }),
  })
}
