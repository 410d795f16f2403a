import type { Database } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { readPage, type Page, type PageRequest } from '../../lib/paging.ts'
import type { TransactionFilters, TransactionRow } from './record.ts'
import { selectTransactions } from './store.ts'

export interface TransactionDeps {
  db: Database
  cursorKey: Buffer
}

export function listTransactions(
  deps: TransactionDeps,
  caller: Caller,
  input: { filters: TransactionFilters; page: PageRequest },
): Promise<Page<TransactionRow>> {
  const { orgId } = caller
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'transactions', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectTransactions(tx, orgId, { filters: input.filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.payment_id }),
  })
}
