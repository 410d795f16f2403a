import { z } from 'zod'
import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { ChangeApplier, ChangeRequest, MaybeHeld } from '../../people/change-requests/record.ts'
import { auditOrgOf, inOwner, ownerOf } from '../../providers/accounts/resolve-owner.ts'
import { compareDocuments } from './compare-documents.ts'
import { changedMeanwhile, noSuchVersion, notADraft } from './errors.ts'
import type { PolicyVersion, RoutingPolicyDeps, RoutingPolicySource } from './record.ts'
import { findInState, findVersion, lockVersions, markPublished, replaceState } from './store.ts'

interface Publication {
  orgId: string | null | undefined
  version: number
}

/** Publishes a draft, or holds it until a second person of the organisation has approved exactly this version. */
export async function publishPolicy(
  deps: RoutingPolicyDeps,
  caller: Caller,
  input: Publication,
): Promise<MaybeHeld<PolicyVersion>> {
  const orgId = ownerOf(caller, input.orgId)
  const outcome = await inOwner(deps.db, orgId, async (tx): Promise<MaybeHeld<PolicyVersion>> => {
    const { draft, former } = await lockedDraft(tx, orgId, input.version)
    const held = await holdChange(deps, tx, caller, {
      orgId,
      payload: {
        version: draft.version,
        replaces: former?.version ?? null,
        changes: compareDocuments(former?.document, draft.document),
      },
      summary: `Routing policy: version ${draft.version} instead of ${former ? `version ${former.version}` : 'none'}.`,
    })
    return held ? { held } : { done: await writePublished(tx, caller, orgId, { draft, former }) }
  })
  if (!outcome.held) deps.routingPolicies.invalidate()
  return outcome
}

/** The installation's policy waits for a second operator, if there is one. */
export function holdChange(
  deps: RoutingPolicyDeps,
  tx: Tx,
  caller: Caller,
  change: { orgId: string; payload: unknown; summary: string },
): Promise<ChangeRequest | undefined> {
  const { changeControl } = deps
  const held = { ...change, kind: 'routing-policy.publish' } as const
  return change.orgId === installationOrgId
    ? changeControl.holdForOperators(tx, caller, held)
    : changeControl.hold(tx, caller, held)
}

async function lockedDraft(
  tx: Tx,
  orgId: string,
  version: number,
): Promise<{ draft: PolicyVersion; former: PolicyVersion | undefined }> {
  await lockVersions(tx, orgId)
  const draft = await findVersion(tx, orgId, version)
  if (!draft) throw noSuchVersion()
  if (draft.state !== 'draft') throw notADraft(version)
  return { draft, former: await findInState(tx, orgId, 'published') }
}

async function writePublished(
  tx: Tx,
  caller: Caller,
  orgId: string,
  { draft, former }: { draft: PolicyVersion; former: PolicyVersion | undefined },
): Promise<PolicyVersion> {
  await replaceState(tx, orgId, { from: 'published', to: 'superseded' })
  const published = await markPublished(tx, orgId, { version: draft.version, publishedBy: caller.userId })
  await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
    action: 'routing-policy.publish',
    resourceType: 'routing-policy',
    resourceId: `${orgId}/${draft.version}`,
    before: { version: former?.version ?? null },
    after: { version: draft.version },
  })
  return published
}

export async function writeWithdrawn(
  tx: Tx,
  caller: Caller,
  orgId: string,
  former: PolicyVersion,
): Promise<PolicyVersion> {
  await replaceState(tx, orgId, { from: 'published', to: 'superseded' })
  await recordAudit(tx, caller, auditOrgOf(caller, orgId), {
    action: 'routing-policy.withdraw',
    resourceType: 'routing-policy',
    resourceId: `${orgId}/${former.version}`,
    before: { version: former.version },
    after: { version: null },
  })
  return { ...former, state: 'superseded' }
}

const requested = z.object({ version: z.int().nullable(), replaces: z.int().nullable() })

/** What was approved is published only over the version that the request was made against. */
export const routingPolicyApplier = (deps: { routingPolicies: RoutingPolicySource }): ChangeApplier => ({
  async apply(tx, approver, { orgId, payload }) {
    const { version, replaces } = requested.parse(payload)
    await lockVersions(tx, orgId)
    const former = await findInState(tx, orgId, 'published')
    if ((former?.version ?? null) !== replaces) throw changedMeanwhile()
    if (version !== null) await writePublished(tx, approver, orgId, await lockedDraft(tx, orgId, version))
    else if (former) await writeWithdrawn(tx, approver, orgId, former)
  },
  applied: () => deps.routingPolicies.invalidate(),
})
