import type { Caller } from '../../../lib/access.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/paging.ts'
import { getAccount } from '../get-account.ts'
import type { TransactionDeps } from './list-transactions.ts'
import { balancesAround, selectEntries, type Period, type VirtualTransaction } from './store.ts'

export interface Statement {
  currency: string
  openingMinor: bigint
  closingMinor: bigint
  entries: Page<VirtualTransaction>
}

/** What was booked in a period, in its order, with the balance before and after. */
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
