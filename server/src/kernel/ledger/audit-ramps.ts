import { sql } from 'kysely'
import type { Check, Violation } from './audit-check.ts'

/** The balance of each ramp in the ramp account, per currency. */
const rampBalances = sql`
  ramp_balances as (
    select t.org_id, t.cause_id as payment_id, t.currency,
           sum(case when t.credit_account = 'ramps' then t.amount_minor else -t.amount_minor end) as amount
    from ledger_transfers t
    where t.kind like 'ramp.%' and 'ramps' in (t.debit_account, t.credit_account)
    group by t.org_id, t.cause_id, t.currency
  )`

/** Only a ramp that is collecting, delivering or refunding may have a balance in the ramp account. */
const balancesOfOpenRamps = sql<Violation>`
  with ${rampBalances}
  select m.payment_id::text as subject, m.amount || ' ' || m.currency || ' is in the ramp account for a ramp that is ' ||
         coalesce(r.phase, 'missing') as problem
  from ramp_balances m left join ramps r on r.org_id = m.org_id and r.payment_id = m.payment_id
  where m.amount <> 0 and (r.phase is null or r.phase not in ('collecting', 'delivering', 'refunding') or m.amount < 0)`

const collected = sql`case r.direction when 'on_ramp' then r.fiat_minor else r.crypto_minor end`
const deliveredAmount = sql`case r.direction when 'on_ramp' then r.crypto_minor else r.fiat_minor end`
const sold = sql`case r.direction when 'on_ramp' then r.fiat_currency else r.crypto_currency end`
const bought = sql`case r.direction when 'on_ramp' then r.crypto_currency else r.fiat_currency end`

const postedAsOutcome = sql<Violation>`
  with sums as (
    select r.org_id, r.payment_id, p.status, r.received_minor, r.suspended_minor,
           ${collected} as collected, ${deliveredAmount} as delivered,
           coalesce(sum(t.amount_minor) filter (where t.kind like 'ramp.received:%' and t.currency = ${sold}), 0) as received,
           coalesce(sum(t.amount_minor) filter (where t.kind like 'ramp.suspended:%' and t.currency = ${sold}), 0) as suspended,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.sold' and t.currency = ${sold}), 0) as sold,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.bought' and t.currency = ${bought}), 0) as bought,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.delivered' and t.currency = ${bought}), 0) as paid,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.returned' and t.currency = ${sold}), 0) as returned
    from ramps r
    join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
    left join ledger_transfers t on t.org_id = r.org_id and t.cause_id = r.payment_id
    group by r.org_id, r.payment_id, p.status
  )
  select payment_id::text as subject,
         format('%s: received %s of %s, in suspense %s, sold %s, bought %s, paid %s of %s, returned %s',
           status, received, collected, suspended, sold, bought, paid, delivered, returned) as problem
  from sums
  where received <> received_minor or suspended <> suspended_minor
     or not case status
       when 'completed' then sold = collected and bought = delivered and paid = delivered and returned = 0
       when 'refunded' then sold = 0 and bought = 0 and paid = 0 and returned in (0, collected)
       else sold = 0 and bought = 0 and paid = 0 and returned = 0
     end`

/** Closed exceptions count as well: their sum is all that was ever moved to suspense. */
const suspenseUnderReview = sql<Violation>`
  select r.payment_id::text as subject,
         format('%s was moved to suspense, its exceptions hold %s', r.suspended_minor, sum(e.held_minor)) as problem
  from ramps r
  left join exceptions e on e.org_id = r.org_id and e.payment_id = r.payment_id and e.held_minor is not null
  group by r.org_id, r.payment_id, r.suspended_minor
  having r.suspended_minor <> coalesce(sum(e.held_minor), 0)`

/** A ramp is completed exactly if one delivery succeeded, and it never has two open legs. */
const legsMatch = sql<Violation>`
  select p.payment_id::text as subject,
         format('%s and %s, with %s open, %s delivered, %s collected', p.status, r.phase,
           count(*) filter (where l.state in ('sending', 'accepted', 'unknown')),
           count(*) filter (where l.state = 'succeeded' and l.kind in ('delivery', 'whole')),
           count(*) filter (where l.state = 'succeeded' and l.kind = 'collection')) as problem
  from ramps r
  join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
  left join ramp_legs l on l.org_id = r.org_id and l.payment_id = r.payment_id
  group by p.org_id, p.payment_id, p.status, r.phase
  having count(*) filter (where l.state in ('sending', 'accepted', 'unknown')) > 1
      or (p.status = 'completed')
         <> (count(*) filter (where l.state = 'succeeded' and l.kind in ('delivery', 'whole')) = 1)
      or (r.phase = 'closed' and count(*) filter (where l.state in ('sending', 'accepted', 'unknown')) > 0)
  union all
  select p.payment_id::text, 'an external payment has no ramp'
  from payments p where p.direction = 'external'
    and not exists (select from ramps r where r.org_id = p.org_id and r.payment_id = p.payment_id)`

/** A nonce that is never used blocks every later transaction of the wallet. */
const transfersWithOpenLeg = sql<Violation>`
  select t.reference::text as subject, 'nonce ' || t.nonce || ' is reserved, but no open leg sends it' as problem
  from wallet_transfers t
  where t.state = 'open' and not exists (
    select from ramp_legs l where l.org_id = t.org_id and l.reference = t.reference
      and l.state in ('sending', 'accepted', 'unknown'))`

export const rampChecks: readonly Check[] = [
  {
    promise: 'money in the ramp account belongs to an open ramp',
    about: 'ramps',
    violations: balancesOfOpenRamps,
  },
  {
    promise: 'a ramp is posted in both assets according to its outcome',
    about: 'ramps',
    violations: postedAsOutcome,
  },
  {
    promise: 'what a ramp holds in suspense is under manual review',
    about: 'ramps',
    violations: suspenseUnderReview,
  },
  {
    promise: 'a wallet transfer in flight belongs to an open leg',
    about: 'ramp_legs',
    violations: transfersWithOpenLeg,
  },
  { promise: 'legs match the status of their ramp', about: 'ramp_legs', violations: legsMatch },
]
