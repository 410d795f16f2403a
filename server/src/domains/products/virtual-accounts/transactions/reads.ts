import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import { getAccount } from '../reads.ts'
import type { Period, Statement, TransactionDeps, TransactionFilters, VirtualTransaction } from './record.ts'
import { balancesAround, findTransaction, selectEntries, selectTransactionPage } from './store.ts'

/** With a user id, transactions of other users' accounts are not found. */
export async function getTransaction(
  deps: { db: Database },
  { orgId }: Caller,
  input: { transactionId: string; userId: string | undefined },
): Promise<VirtualTransaction> {
  const found = await deps.db.inOrg(orgId, (tx) => findTransaction(tx, orgId, input.transactionId))
  if (!found || (input.userId !== undefined && found.userId !== input.userId))
    throw notFound('The virtual transaction')
  return found
}

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

/** Entries booked in a period, in order, with the balances before and after it. */
export async function getStatement(
  deps: TransactionDeps,
  { orgId }: Caller,
  input: { period: Period; page: PageRequest },
): Promise<Statement> {
  const { period } = input
  const { currency } = await getAccount(deps, orgId, { accountId: period.accountId })
  const around = await deps.db.inOrg(orgId, (tx) => balancesAround(tx, orgId, period))
  const entries = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'statement', filters: { ...period } },
    read: (limit, after) =>
      deps.db.inOrg(orgId, (tx) =>
        selectEntries(tx, orgId, { ...period, afterEntry: Number(after?.id ?? 0), limit }),
      ),
    positionOf: (row) => ({ createdAt: row.createdAt, id: String(row.entryNo) }),
  })
  return { currency, ...around, entries }
}
