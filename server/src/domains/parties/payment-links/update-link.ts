import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { assertExpiry, assertReturnUrl } from './create-link.ts'
import type { LinkChange, LinkDeps, LinkWithStatus } from './record.ts'
import { loadChangeableLink, writeLink } from './write-link.ts'

export async function updateLink(
  deps: LinkDeps,
  caller: Caller,
  input: { orgId: string; linkId: string } & LinkChange,
): Promise<LinkWithStatus> {
  const { orgId: requested, linkId, ...change } = input
  const orgId = orgInScope(caller, requested, 'write')
  const before = await loadChangeableLink(deps, orgId, linkId)
  if (change.expiresAt) assertExpiry(change.expiresAt, deps.clock.now())
  if (change.returnUrl) await assertReturnUrl(deps, orgId, change.returnUrl)
  const after = { ...before, ...change, expiresAt: change.expiresAt ?? before.expiresAt }
  return writeLink(deps, caller, { before, after, action: 'payment-link.update' })
}
