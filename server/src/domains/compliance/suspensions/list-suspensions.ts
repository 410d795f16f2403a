import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { Suspension, SuspensionDeps } from './record.ts'
import { selectSuspensionsAcrossOrgs, type SuspensionFilters } from './store.ts'

export const listSuspensions = (
  deps: Pick<SuspensionDeps, 'db' | 'cursorKey'>,
  { orgId }: Caller,
  { filters, page }: { filters: SuspensionFilters; page: PageRequest },
): Promise<Page<Suspension>> =>
  readPage(deps.cursorKey, page, {
    scope: { orgId, route: 'suspensions', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.acrossOrgs((tx) => selectSuspensionsAcrossOrgs(tx, { ...filters, limit, before })),
    positionOf: ({ suspendedAt, suspensionId }) => ({ createdAt: suspendedAt, id: suspensionId }),
  })
