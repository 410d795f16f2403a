import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { ExceptionRow, ExceptionDeps } from './record.ts'
import { selectExceptions } from './store.ts'

interface ExceptionFilters {
  status: string | undefined
  kind: string | undefined
  paymentId: string | undefined
  assigneeId: string | undefined
}

/**
 * Exceptions without an organisation belong to the installation: whoever may read the platform sees them with their
 * own, and whoever may write it resolves them.
 */
export const withExceptions = <T>(
  deps: Pick<ExceptionDeps, 'db'>,
  caller: Caller,
  action: 'read' | 'write',
  work: (tx: Tx, scope: { withInstallation: boolean }) => Promise<T>,
): Promise<T> =>
  caller.permissions.has(`platform:${action}`)
    ? deps.db.acrossOrgs((tx) => work(tx, { withInstallation: true }))
    : deps.db.inOrg(caller.orgId, (tx) => work(tx, { withInstallation: false }))

export function listExceptions(
  deps: ExceptionDeps,
  caller: Caller,
  input: { filters: ExceptionFilters; page: PageRequest },
): Promise<Page<ExceptionRow>> {
  const { orgId } = caller
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'exceptions', filters: { ...input.filters } },
    read: (limit, before) =>
      withExceptions(deps, caller, 'read', (tx, scope) =>
        selectExceptions(tx, orgId, { ...input.filters, ...scope, limit, before }),
      ),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.exception_id }),
  })
}
