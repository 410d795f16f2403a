import type { Caller } from '../../../../lib/requests/access.ts'
import { readPage, type PageRequest } from '../../../../lib/requests/paging.ts'
import { getAccount } from '../get-account.ts'
import type { Period, Statement, TransactionDeps } from './record.ts'
import { balancesAround, selectEntries } from './store.ts'

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
