import { dropStatement, rescheduleStatement } from '../../engine/outbox.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { assertExpiry, assertReturnUrl, auditOf, sealPrivate } from './create-link.ts'
import { linkChanged, linkEnded, linkUnderWay } from './errors.ts'
import { loadLink } from './get-link.ts'
import type { PaymentLink, LinkChange, LinkDeps } from './record.ts'
import { isUnderWay, statusAt } from './rules.ts'
import { updateLink } from './store.ts'

type Naming = { orgId: string; linkId: string }

export async function changeLink(
  deps: LinkDeps,
  caller: Caller,
  input: Naming & LinkChange,
): Promise<PaymentLink> {
  const { orgId: requested, linkId, ...change } = input
  const orgId = orgInScope(caller, requested, 'write')
  const before = await loadOpen(deps, orgId, linkId)
  if (change.expiresAt) assertExpiry(change.expiresAt, deps.clock.now())
  if (change.returnUrl) await assertReturnUrl(deps, orgId, change.returnUrl)
  const after = { ...before, ...change, expiresAt: change.expiresAt ?? before.expiresAt }
  return write(deps, caller, { before, after, action: 'payment-link.update' })
}

/** What somebody is paying cannot be taken back; what nobody pays ends at once. */
export async function cancelLink(deps: LinkDeps, caller: Caller, input: Naming): Promise<PaymentLink> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const before = await loadOpen(deps, orgId, input.linkId)
  const after: PaymentLink = { ...before, status: 'canceled' }
  return write(deps, caller, { before, after, action: 'payment-link.cancel' })
}

async function loadOpen(deps: LinkDeps, orgId: string, linkId: string): Promise<PaymentLink> {
  const link = await loadLink(deps, orgId, linkId)
  const status = statusAt(link, deps.clock.now())
  if (status !== 'active') throw linkEnded(status)
  if (isUnderWay(link.paymentStatus)) throw linkUnderWay()
  return link
}

/** The version is the one that was looked at: a payer who starts meanwhile wins. */
async function write(
  deps: LinkDeps,
  caller: Caller,
  { before, after, action }: { before: PaymentLink; after: PaymentLink; action: string },
): Promise<PaymentLink> {
  const { orgId, linkId, expiresAt, status } = after
  const privateSealed = await sealPrivate(deps, after)
  const isOver = status !== 'active'
  await deps.db.inOrg(orgId, async (tx) => {
    if (!(await updateLink(tx, orgId, { ...after, privateSealed }))) throw linkChanged()
    const expiry = isOver ? dropStatement(orgId, linkId) : rescheduleStatement(orgId, linkId, expiresAt)
    await tx.db.executeQuery(expiry)
    await recordAudit(tx, caller, orgId, { ...auditOf(after), action, before: auditOf(before).after })
  })
  return { ...after, version: after.version + 1 }
}
