import { dropStatement } from '../../engine/outbox.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
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
  return writeLink(deps, caller, {
    before,
    after: { ...before, status: 'canceled' },
    action: 'payment-link.cancel',
    expiryJob: dropStatement(orgId, input.linkId),
  })
}
