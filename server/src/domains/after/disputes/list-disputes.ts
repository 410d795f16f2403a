import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Dispute, DisputeFilters, ListDeps } from './record.ts'
import { selectDisputes } from './store.ts'

export const listDisputes = (
  deps: ListDeps,
  { orgId }: Caller,
  input: { filters: DisputeFilters; page: PageRequest },
): Promise<Page<Dispute>> =>
  readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'disputes', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectDisputes(tx, orgId, { ...input.filters, limit, before })),
    positionOf: ({ createdAt, disputeId }) => ({ createdAt, id: disputeId }),
  })
