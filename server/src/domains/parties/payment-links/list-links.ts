import type { Caller } from '../../../lib/requests/access.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page } from '../../../lib/requests/paging.ts'
import { openLink, withStatus } from './get-link.ts'
import type { LinkDeps, LinkWithStatus } from './record.ts'
import type { LinkStatus } from './rules.ts'
import { selectLinks } from './store.ts'

/** The specification returns all links; without a limit, one answer holds up to this many. */
const linksLimit = 10_000

interface LinkQuery {
  orgId: string
  status: LinkStatus | undefined
  limit: number | undefined
  cursor: string | undefined
}

type ListDeps = Pick<LinkDeps, 'db' | 'vault' | 'clock' | 'listPaymentStatuses'> & { cursorKey: KeyRing }

export function listLinks(deps: ListDeps, caller: Caller, input: LinkQuery): Promise<Page<LinkWithStatus>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { status, limit: pageLimit = linksLimit, cursor } = input
  return readPage(
    deps.cursorKey,
    { limit: pageLimit, cursor },
    {
      scope: { orgId, route: 'payment-links', filters: { status } },
      read: (limit, before) => readLinks(deps, orgId, { status, limit, before }),
      positionOf: ({ createdAt, linkId }) => ({ createdAt, id: linkId }),
    },
  )
}

async function readLinks(
  deps: ListDeps,
  orgId: string,
  page: { status: LinkStatus | undefined; limit: number; before: Position | undefined },
): Promise<LinkWithStatus[]> {
  const { rows, statuses } = await deps.db.inOrg(orgId, async (tx) => {
    const links = await selectLinks(tx, orgId, { ...page, now: deps.clock.now() })
    const paymentIds = links.flatMap(({ paymentId }) => paymentId ?? [])
    return { rows: links, statuses: await deps.listPaymentStatuses(tx, orgId, paymentIds) }
  })
  return Promise.all(rows.map(async (row) => withStatus(await openLink(deps, row), statuses)))
}
