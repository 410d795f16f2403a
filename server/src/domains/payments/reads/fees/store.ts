import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { CostSum, FeeSum } from './record.ts'

interface Period {
  from: Date
  to: Date
}

/** A payment is charged once it has completed; one that was refunded afterwards may have got its fee back. */
export async function selectFeeSums(tx: Tx, orgId: string, { from, to }: Period): Promise<FeeSum[]> {
  const { rows } = await sql<
    Omit<FeeSum, 'payments' | 'chargedMinor' | 'returnedMinor'> & {
      payments: string
      charged: string
      returned: string
    }
  >`
    select fee_currency as currency, custody, direction, payment_method as method, provider,
           count(*)::text as payments, sum(fee_minor)::text as charged,
           coalesce(sum(fee_minor) filter (where status = 'refunded' and fee_is_returned), 0)::text as returned
    from payments
    where org_id = ${orgId} and created_at >= ${from} and created_at < ${to}
      and status in ('completed', 'refunded') and fee_minor is not null
    group by fee_currency, custody, direction, payment_method, provider
    order by fee_currency, custody, direction, payment_method, provider`.execute(tx.db)
  return rows.map(({ payments, charged, returned, ...row }) => ({
    ...row,
    payments: Number(payments),
    chargedMinor: BigInt(charged),
    returnedMinor: BigInt(returned),
  }))
}

export async function selectCostSums(tx: Tx, orgId: string, { from, to }: Period): Promise<CostSum[]> {
  const { rows } = await sql<Omit<CostSum, 'payments' | 'costMinor'> & { payments: string; cost: string }>`
    select a.cost_currency as currency, p.direction, p.payment_method as method, a.provider,
           count(*)::text as payments, sum(a.cost_minor)::text as cost
    from payments p join attempts a on a.org_id = p.org_id and a.payment_id = p.payment_id
    where p.org_id = ${orgId} and p.created_at >= ${from} and p.created_at < ${to}
      and a.state = 'succeeded' and a.cost_minor is not null
    group by a.cost_currency, p.direction, p.payment_method, a.provider
    order by a.cost_currency, p.direction, p.payment_method, a.provider`.execute(tx.db)
  return rows.map(({ payments, cost, ...row }) => ({
    ...row,
    payments: Number(payments),
    costMinor: BigInt(cost),
  }))
}
