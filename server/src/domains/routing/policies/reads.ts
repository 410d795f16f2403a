import type { Caller } from '../../../lib/requests/access.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { type Page, type PageRequest, readPage } from '../../../lib/requests/paging.ts'
import { noSuchVersion } from './errors.ts'
import type { PolicyVersion, RoutingPolicyDeps } from './record.ts'
import { findVersion, selectVersions } from './store.ts'

export async function getVersion(
  deps: Pick<RoutingPolicyDeps, 'db'>,
  caller: Caller,
  input: { orgId: string | undefined; version: number },
): Promise<PolicyVersion> {
  const { ownerId, tenant } = readScope(caller, input.orgId)
  const found = await deps.db.inOrg(tenant, (tx) => findVersion(tx, ownerId, input.version))
  if (!found) throw noSuchVersion()
  return found
}

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
