import type { Caller } from '../../../lib/requests/access.ts'
import { compareDocuments, type PolicyChange } from './compare-documents.ts'
import { noSuchVersion } from './errors.ts'
import { readScope } from './reads.ts'
import type { RoutingPolicyDeps } from './record.ts'
import { findInState, findVersion } from './store.ts'

interface PolicyDiff {
  version: number
  /** Null: nothing is published to compare with. */
  against: number | null
  changes: PolicyChange[]
}

/** What a version changes against another one, by default the published one. */
export async function compareVersions(
  deps: Pick<RoutingPolicyDeps, 'db'>,
  caller: Caller,
  input: { orgId: string | undefined; version: number; against: number | undefined },
): Promise<PolicyDiff> {
  const { ownerId, tenant } = readScope(caller, input.orgId)
  const { against } = input
  const [after, before] = await deps.db.inOrg(tenant, async (tx) => [
    await findVersion(tx, ownerId, input.version),
    against === undefined
      ? await findInState(tx, ownerId, 'published')
      : await findVersion(tx, ownerId, against),
  ])
  if (!after || (against !== undefined && !before)) throw noSuchVersion()
  return {
    version: after.version,
    against: before?.version ?? null,
    changes: compareDocuments(before?.document, after.document),
  }
}
