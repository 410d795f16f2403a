import type { Caller } from '../../../lib/requests/access.ts'
import { orgInScope } from '../../../lib/requests/org-scope.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { AuditFilters, AuditLogDeps, NamedAuditRow } from './record.ts'
import { selectAuditRows } from './store.ts'

export function listAuditLog(
  deps: AuditLogDeps,
  caller: Caller,
  input: { orgId: string; filters: AuditFilters; page: PageRequest },
): Promise<Page<NamedAuditRow>> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'audit-log', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, async (tx) => {
        const rows = await selectAuditRows(tx, orgId, { filters: input.filters, limit, before })
        const names = await deps.listNamesIn(
          tx,
          orgId,
          rows.map((row) => row.user_id),
        )
        return rows.map((row) => ({ ...row, userName: names.get(row.user_id) ?? null }))
      }),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.audit_id }),
  })
}
