import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { readPage, type Page, type PageRequest } from '../../lib/paging.ts'
import { selectExceptions, type ExceptionRow } from './store.ts'

export interface ExceptionDeps {
  db: Database
  cursorKey: Buffer
}

export interface ExceptionFilters {
  status: string | undefined
  kind: string | undefined
  paymentId: string | undefined
}

export function listExceptions(
  deps: ExceptionDeps,
  caller: Caller,
  input: { filters: ExceptionFilters; page: PageRequest },
): Promise<Page<ExceptionRow>> {
  const { orgId } = caller
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'exceptions', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectExceptions(tx, orgId, { ...input.filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.exception_id }),
  })
}
