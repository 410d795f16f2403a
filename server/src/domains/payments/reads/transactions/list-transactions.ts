import type { Database } from '../../../../kernel/db/database.ts'
import type { Vault } from '../../../../kernel/db/vault.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { validationError } from '../../../../lib/errors.ts'
import type { KeyRing } from '../../../../lib/crypto/key-ring.ts'
import { readPage, type Page, type PageRequest } from '../../../../lib/requests/paging.ts'
import { readDetails } from '../read-details.ts'
import { planSources } from './plan-sources.ts'
import type { ListedTransaction, TransactionFilters, TransactionRow } from './record.ts'
import { minorOf } from './rules.ts'
import { selectTransactions } from './store.ts'

export interface TransactionDeps {
  db: Database
  vault: Vault
  cursorKey: KeyRing
  searchKey: KeyRing
}

export interface TransactionPage extends Page<ListedTransaction> {
  isPartial: boolean
}

export async function listTransactions(
  deps: TransactionDeps,
  caller: Caller,
  input: { filters: TransactionFilters; page: PageRequest },
): Promise<TransactionPage> {
  const { orgId } = caller
  const { filters } = input
  checkAmounts(filters)
  // Whoever sees numbers and addresses masked cannot find them by guesses either.
  const search = {
    key: deps.searchKey,
    isByContact: caller.permissions.has('personal-data:read'),
    isOperators: caller.permissions.has('platform:read'),
  }
  let isPartial = false
  const page = await readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'transactions', filters: { ...filters } },
    read: (limit, before) =>
      deps.db.inOrg(orgId, async (tx) => {
        const plan = await planSources(tx, orgId, filters, search)
        isPartial = plan.isPartial
        return selectTransactions(tx, orgId, { filters, sources: plan.sources, limit, before })
      }),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.payment_id }),
  })
  const items = await Promise.all(
    page.items.map(async (row) => ({ row, details: await readDetails(deps, sealedIn(row)) })),
  )
  return { items, nextCursor: page.nextCursor, isPartial }
}

const sealedIn = (row: TransactionRow) => ({
  orgId: row.org_id,
  paymentId: row.payment_id,
  privateSealed: row.private_sealed,
})

function checkAmounts({ minAmount, maxAmount, currency }: TransactionFilters): void {
  for (const [path, amount] of [
    ['min_amount', minAmount],
    ['max_amount', maxAmount],
  ] as const) {
    if (amount === undefined) continue
    if (currency === undefined)
      throw validationError(`${path} needs the currency that it is in, such as currency=NGN.`, [
        { path, message: 'needs currency' },
      ])
    if (minorOf(amount, currency) === undefined)
      throw validationError(
        `${path} must be a decimal with no more decimals than ${currency} has, such as 1500.`,
        [{ path, message: 'must be an amount in the currency' }],
      )
  }
}
