import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import { getAccount } from '../get-account.ts'
import type { TransactionFilters, VirtualTransaction, TransactionDeps } from './record.ts'
import { selectTransactionPage } from './store.ts'

export async function listTransactions(
  deps: TransactionDeps,
  { orgId }: Caller,
  input: { filters: TransactionFilters; page: PageRequest },
): Promise<Page<VirtualTransaction>> {
  await getAccount(deps, orgId, { accountId: input.filters.accountId })
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'virtual-transactions', filters: { ...input.filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, (tx) => selectTransactionPage(tx, orgId, { ...input.filters, limit, before })),
    positionOf: (row) => ({ createdAt: row.createdAt, id: row.transactionId }),
  })
}
