import type { Caller } from '../../../lib/requests/access.ts'
import { noSuchVersion } from './errors.ts'
import { readScope } from './list-versions.ts'
import type { PolicyVersion, RoutingPolicyDeps } from './record.ts'
import { findVersion } from './store.ts'

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
