import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import type { LinkDeps, LinkWithStatus } from './record.ts'
import { loadChangeableLink, writeLink } from './write-link.ts'

/** Refused while a customer is paying the link. */
export async function cancelLink(
  deps: LinkDeps,
  caller: Caller,
  input: { orgId: string; linkId: string },
): Promise<LinkWithStatus> {
  const orgId = orgInScope(caller, input.orgId, 'write')
  const before = await loadChangeableLink(deps, orgId, input.linkId)
  const after = { ...before, status: 'canceled' as const }
  return writeLink(deps, caller, { before, after, action: 'payment-link.cancel' })
}
