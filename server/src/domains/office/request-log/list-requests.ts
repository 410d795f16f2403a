import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { RequestEntry, RequestFilters, RequestLogDeps } from './record.ts'
import { selectEntries } from './store.ts'

export function listRequests(
  deps: RequestLogDeps,
  caller: Caller,
  input: { orgId: string | undefined; filters: RequestFilters; page: PageRequest },
): Promise<Page<RequestEntry>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const { filters } = input
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'request-log', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectEntries(tx, orgId, { filters, limit, before })),
    positionOf: ({ createdAt, entryId }) => ({ createdAt, id: entryId }),
  })
}
