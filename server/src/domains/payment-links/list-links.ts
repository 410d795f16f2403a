import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { openLink } from './get-link.ts'
import type { PaymentLink, LinkDeps } from './record.ts'
import { selectLinks } from './store.ts'

/** The specification has no paging here: all links in one answer, up to what one answer can hold. */
const linksLimit = 10_000

export async function listLinks(
  deps: Pick<LinkDeps, 'db' | 'vault'>,
  caller: Caller,
  input: { orgId: string },
): Promise<PaymentLink[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const rows = await deps.db.inOrg(orgId, (tx) => selectLinks(tx, orgId, linksLimit))
  return Promise.all(rows.map((row) => openLink(deps, row)))
}
