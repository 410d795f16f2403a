import type pg from 'pg'
import type { PaymentView } from './explore-model.ts'

interface PaymentRow {
  payment_id: string
  status: string
  action: string | null
  refunded: string
  tries: string[]
  refunds: string[]
  disputes: string[]
  events: string[]
  exceptions: string[]
}

const paymentsQuery = `
  select p.payment_id, p.status, p.next_action ->> 'type' as action, p.refunded_minor::text as refunded,
    array(select a.provider || ' ' || a.state from attempts a
      where a.org_id = p.org_id and a.payment_id = p.payment_id order by a.attempt_no) as tries,
    array(select r.amount_minor || ' ' || r.state from refunds r
      where r.org_id = p.org_id and r.payment_id = p.payment_id) as refunds,
    array(select concat_ws(' ', split_part(d.provider_ref, ' ', 2), d.state, d.round, d.moves,
        (select string_agg(e.event_type, ' ' order by e.sequence, e.event_type desc) from events e
         where e.org_id = d.org_id and e.resource_id = d.dispute_id))
      from disputes d where d.org_id = p.org_id and d.payment_id = p.payment_id) as disputes,
    array(select case e.event_type when 'transaction.updated' then e.event_type || ' ' || (e.data::jsonb ->> 'status')
        else e.event_type end
      from events e where e.org_id = p.org_id and e.resource_id = p.payment_id
      order by e.sequence, e.event_type <> 'payment.processing', e.event_type) as events,
    array(select x.kind || ' ' || x.provider from exceptions x
      where x.org_id = p.org_id and x.payment_id = p.payment_id) as exceptions
  from payments p`

/** Both sides of each transfer, under the payment that it, its refund or its dispute belongs to. */
const sumsQuery = `
  select coalesce(r.payment_id, d.payment_id, t.cause_id) as payment_id, regexp_replace(side.account, '^(provider:[^:]+):.*', '\\1') || ' ' || t.currency as key,
         coalesce(sum(side.sign * t.amount_minor) filter (where t.phase in ('posted', 'post')), 0)::text as final,
         coalesce(sum(case t.phase when 'pending' then t.amount_minor else -t.amount_minor end)
           filter (where side.sign < 0 and t.phase <> 'posted'), 0)::text as held
  from ledger_transfers t
  left join refunds r on r.org_id = t.org_id and r.refund_id = t.cause_id
  left join disputes d on d.org_id = t.org_id and d.dispute_id = t.cause_id
  cross join lateral (values (t.debit_account, -1), (t.credit_account, 1)) as side (account, sign)
  group by 1, 2 order by 2`

/** Every payment in the database, by its id. */
export async function readPaymentViews(owner: pg.Pool): Promise<Map<string, PaymentView>> {
  const views = new Map<string, PaymentView>()
  for (const row of (await owner.query<PaymentRow>(paymentsQuery)).rows) {
    const { payment_id, ...rest } = row
    views.set(payment_id, {
      ...rest,
      refunds: rest.refunds.sort(),
      disputes: rest.disputes.sort(),
      // A finding whose exception was closed may be raised again; the model has each finding once.
      exceptions: [...new Set(rest.exceptions)].sort(),
      final: {},
      held: {},
    })
  }
  const sums = await owner.query<{ payment_id: string; key: string; final: string; held: string }>(sumsQuery)
  for (const { payment_id, key, final, held } of sums.rows) {
    const one = views.get(payment_id)
    if (!one) throw new Error(`a transfer belongs to ${payment_id}, which is no payment`)
    if (final !== '0') one.final[key] = final
    if (held !== '0') one.held[key] = held
  }
  return views
}
