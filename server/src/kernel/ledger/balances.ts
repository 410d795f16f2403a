import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export interface Balance {
  account: string
  currency: string
  /** Credits minus debits of all final transfers. */
  postedMinor: bigint
  /** Debits on hold that are neither posted nor released. */
  heldMinor: bigint
}

interface BalanceRow {
  account: string
  currency: string
  posted: string
  held: string
}

/** Balances are summed from transfers and stored nowhere, so there is no second number that could differ. */
export async function balancesOf(tx: Tx, orgId: string, accounts?: readonly string[]): Promise<Balance[]> {
  const filter = accounts ? sql`and account = any(${[...accounts]}::text[])` : sql``
  const { rows } = await sql<BalanceRow>`
    with sides as (
      select debit_account as account, currency, -amount_minor as amount, phase, true as is_debit
      from ledger_transfers where org_id = ${orgId}
      union all
      select credit_account, currency, amount_minor, phase, false
      from ledger_transfers where org_id = ${orgId}
    )
    select account, currency,
           coalesce(sum(amount) filter (where phase in ('posted', 'post')), 0)::text as posted,
           coalesce(sum(case phase when 'pending' then -amount else amount end)
             filter (where is_debit and phase <> 'posted'), 0)::text as held
    from sides where true ${filter}
    group by account, currency order by account, currency`.execute(tx.db)
  return rows.map((row) => ({
    account: row.account,
    currency: row.currency,
    postedMinor: BigInt(row.posted),
    heldMinor: BigInt(row.held),
  }))
}
