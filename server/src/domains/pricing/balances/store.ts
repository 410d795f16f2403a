import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { availableSums } from '../../../kernel/ledger/available.ts'
import type { CreditLimit, OrgBalance } from './record.ts'

/** One statement, so that holds and the payments that they belong to are of one moment. */
export async function selectBalances(tx: Tx, orgId: string): Promise<OrgBalance[]> {
  const { rows } = await sql<{
    currency: string
    account: string
    available: string
    held: string
    in_transit: string
    credit_limit: string
  }>`
    with sums as (${availableSums(orgId)}),
    with_providers as (
      select currency, amount_minor from payments
      where org_id = ${orgId} and is_open and status in ('processing', 'pending')
        and direction = 'outbound' and funding_account_id is null
      union all
      select currency, amount_minor from refunds
      where org_id = ${orgId} and origin = 'api' and state in ('unknown', 'accepted')
    ),
    in_transit as (
      select 'available' as account, currency, sum(amount_minor) as amount from with_providers group by currency
    ),
    limits as (
      select 'available' as account, currency, limit_minor from credit_limits where org_id = ${orgId}
    )
    select account, currency,
           (coalesce(posted_minor, 0) - coalesce(held_minor, 0))::text as available,
           (coalesce(held_minor, 0) - coalesce(in_transit.amount, 0))::text as held,
           coalesce(in_transit.amount, 0)::text as in_transit,
           coalesce(limit_minor, 0)::text as credit_limit
    from sums full join limits using (account, currency) left join in_transit using (account, currency)
    order by currency, account`.execute(tx.db)
  return rows.map((row) => ({
    currency: row.currency,
    custody: row.account === 'available' ? 'pooled' : 'own',
    availableMinor: BigInt(row.available),
    heldMinor: BigInt(row.held),
    inTransitMinor: BigInt(row.in_transit),
    creditLimitMinor: row.account === 'available' ? BigInt(row.credit_limit) : null,
  }))
}

export async function selectCreditLimits(tx: Tx, orgId: string): Promise<CreditLimit[]> {
  const rows = await tx.db
    .selectFrom('credit_limits')
    .select(['currency', 'limit_minor'])
    .where('org_id', '=', orgId)
    .orderBy('currency')
    .execute()
  return rows.map((row) => ({ currency: row.currency, limitMinor: BigInt(row.limit_minor) }))
}

/** Only the operator's role may write limits, hence the transaction across organisations. */
export async function replaceCreditLimitsAcrossOrgs(
  tx: Tx,
  orgId: string,
  limits: readonly CreditLimit[],
): Promise<void> {
  await tx.db.deleteFrom('credit_limits').where('org_id', '=', orgId).execute()
  if (limits.length === 0) return
  await tx.db
    .insertInto('credit_limits')
    .values(
      limits.map(({ currency, limitMinor }) => ({
        org_id: orgId,
        currency,
        limit_minor: limitMinor.toString(),
      })),
    )
    .execute()
}
