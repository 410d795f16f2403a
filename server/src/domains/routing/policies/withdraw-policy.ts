import type { Caller } from '../../../lib/requests/access.ts'
import type { MaybeHeld } from '../../people/change-requests/record.ts'
import { inOwner, ownerOf } from '../../providers/accounts/resolve-owner.ts'
import { nothingPublished } from './errors.ts'
import { holdChange, writeWithdrawn } from './publish-policy.ts'
import type { PolicyVersion, RoutingPolicyDeps } from './record.ts'
import { findInState, lockVersions } from './store.ts'

/** Ends the published version, so that the installation's policy applies again, or the priorities if it has none. */
export async function withdrawPolicy(
  deps: RoutingPolicyDeps,
  caller: Caller,
  input: { orgId: string | null | undefined },
): Promise<MaybeHeld<PolicyVersion>> {
  const orgId = ownerOf(caller, input.orgId)
  const outcome = await inOwner(deps.db, orgId, async (tx): Promise<MaybeHeld<PolicyVersion>> => {
    await lockVersions(tx, orgId)
    const former = await findInState(tx, orgId, 'published')
    if (!former) throw nothingPublished()
    const held = await holdChange(deps, tx, caller, {
      orgId,
      payload: { version: null, replaces: former.version },
      summary: `Routing policy: withdraw version ${former.version}.`,
    })
    return held ? { held } : { done: await writeWithdrawn(tx, caller, orgId, former) }
  })
  if (!outcome.held) deps.routingPolicies.invalidate()
  return outcome
}
