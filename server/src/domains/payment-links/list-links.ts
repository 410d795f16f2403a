import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { openLink, withStatus } from './get-link.ts'
import type { LinkDeps, LinkWithStatus } from './record.ts'
import { selectLinks } from './store.ts'

/** The specification has no paging here, so one answer holds all links up to this limit. */
const linksLimit = 10_000

export async function listLinks(
  deps: Pick<LinkDeps, 'db' | 'vault' | 'listPaymentStatuses'>,
  caller: Caller,
  input: { orgId: string },
): Promise<LinkWithStatus[]> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { rows, statuses } = await deps.db.inOrg(orgId, async (tx) => {
    const links = await selectLinks(tx, orgId, linksLimit)
    const paymentIds = links.flatMap(({ paymentId }) => paymentId ?? [])
    return { rows: links, statuses: await deps.listPaymentStatuses(tx, orgId, paymentIds) }
  })
  return Promise.all(rows.map(async (row) => withStatus(await openLink(deps, row), statuses)))
}
