import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export interface Balance {
  account: string
  currency: string
  /** Credits less debits of everything that is final. */
  postedMinor: bigint
  /** Held on the debit side and neither captured nor released. */
  heldMinor: bigint
}

interface BalanceRow {
  account: string
  currency: string
  posted: string
  held: string
}

/** Balances are derived from transfers and kept nowhere: there is no second number that could differ. */
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
