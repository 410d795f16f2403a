import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { orgInScope } from '../../lib/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../lib/paging.ts'
import type { AuditFilters, StoredAuditRow } from './record.ts'
import { selectAuditRows } from './store.ts'

export function listAuditLog(
  deps: { db: Database; cursorKey: Buffer },
  caller: Caller,
  input: { orgId: string; filters: AuditFilters; page: PageRequest },
): Promise<Page<StoredAuditRow>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'audit-log', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectAuditRows(tx, orgId, { filters: input.filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.audit_id }),
  })
}
