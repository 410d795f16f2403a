import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { auditOrgOf, inOwner, ownerOf } from '../../providers/accounts/resolve-owner.ts'
import { neverPublished, noSuchVersion } from './errors.ts'
import type { PolicyVersion, RoutingPolicyDeps } from './record.ts'
import { findInState, findVersion, insertVersion, lockVersions, replaceState } from './store.ts'

/**
 * Publishes the document of an earlier published version as a new version. It takes one call and one person, because
 * it is needed while something is wrong, and because the document has passed a publication before.
 */
export async function restorePolicy(
  deps: Pick<RoutingPolicyDeps, 'db' | 'routingPolicies'>,
  caller: Caller,
  input: { orgId: string | null | undefined; version: number },
): Promise<PolicyVersion> {
  const orgId = ownerOf(caller, input.orgId)
  const restored = await inOwner(deps.db, orgId, async (tx) => {
    await lockVersions(tx, orgId)
    const earlier = await findVersion(tx, orgId, input.version)
    if (!earlier) throw noSuchVersion()
    if (earlier.state !== 'superseded') throw neverPublished(input.version)
    const former = await findInState(tx, orgId, 'published')
    await replaceState(tx, orgId, { from: 'published', to: 'superseded' })
    const published = await insertVersion(tx, orgId, {
      state: 'published',
      document: earlier.document,
      note: earlier.note,
      restores: earlier.version,
      createdBy: caller.userId,
    })
    await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
      action: 'routing-policy.rollback',
      resourceType: 'routing-policy',
      resourceId: `${orgId}/${published.version}`,
      before: { version: former?.version ?? null },
      after: { version: published.version, restores: earlier.version },
    })
    return published
  })
  deps.routingPolicies.invalidate()
  return restored
}
