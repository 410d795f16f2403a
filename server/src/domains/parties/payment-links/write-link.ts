import type { Caller } from '../../../lib/requests/access.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { auditOf, sealPrivate } from './create-link.ts'
import { linkChanged, linkEnded, linkBeingPaid } from './errors.ts'
import { loadLinkWithStatus } from './get-link.ts'
import type { LinkDeps, LinkWithStatus } from './record.ts'
import { isInProgress, statusAt } from './rules.ts'
import { updateLinkRow } from './store.ts'

export async function loadChangeableLink(
  deps: LinkDeps,
  orgId: string,
  linkId: string,
): Promise<LinkWithStatus> {
  const link = await loadLinkWithStatus(deps, orgId, linkId)
  const status = statusAt(link, deps.clock.now())
  if (status !== 'active') throw linkEnded(status)
  if (isInProgress(link.paymentStatus)) throw linkBeingPaid()
  return link
}

/** Fails if the link has changed since it was loaded, for example because a payer has started to pay it. */
export async function writeLink(
  deps: LinkDeps,
  caller: Caller,
  change: { before: LinkWithStatus; after: LinkWithStatus; action: string },
): Promise<LinkWithStatus> {
  const { before, after, action } = change
  const { orgId } = after
  const privateSealed = await sealPrivate(deps, after)
  await deps.db.inOrg(orgId, async (tx) => {
    if (!(await updateLinkRow(tx, orgId, { ...after, privateSealed }))) throw linkChanged()
    await recordAudit(tx, caller, orgId, { ...auditOf(after), action, before: auditOf(before).after })
  })
  return { ...after, version: after.version + 1 }
}
