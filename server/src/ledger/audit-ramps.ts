import { sql } from 'kysely'
import type { Check, Violation } from './audit.ts'

/** What each ramp has in the middle, per currency; and what its rows say that should have moved. */
const middle = sql`
  middle as (
    select t.org_id, t.cause_id as payment_id, t.currency,
           sum(case when t.credit_account = 'ramps' then t.amount_minor else -t.amount_minor end) as amount
    from ledger_transfers t
    where t.kind like 'ramp.%' and 'ramps' in (t.debit_account, t.credit_account)
    group by t.org_id, t.cause_id, t.currency
  )`

/** Money in the middle belongs to a ramp that is still being settled, returned or paid in. */
const nothingForgotten = sql<Violation>`
  with ${middle}
  select m.payment_id::text as subject, m.amount || ' ' || m.currency || ' is in the middle of a ramp that is ' ||
         coalesce(r.phase, 'gone') as problem
  from middle m left join ramps r on r.org_id = m.org_id and r.payment_id = m.payment_id
  where m.amount <> 0 and (r.phase is null or r.phase not in ('collecting', 'settling', 'refunding') or m.amount < 0)`

const collected = sql`case r.direction when 'on_ramp' then r.fiat_minor else r.crypto_minor end`
const settledAmount = sql`case r.direction when 'on_ramp' then r.crypto_minor else r.fiat_minor end`
const sold = sql`case r.direction when 'on_ramp' then r.fiat_currency else r.crypto_currency end`
const bought = sql`case r.direction when 'on_ramp' then r.crypto_currency else r.fiat_currency end`

const postedAsEnded = sql<Violation>`
  with sums as (
    select r.org_id, r.payment_id, p.status, r.received_minor, r.suspended_minor,
           ${collected} as collected, ${settledAmount} as settled,
           coalesce(sum(t.amount_minor) filter (where t.kind like 'ramp.received:%' and t.currency = ${sold}), 0) as received,
           coalesce(sum(t.amount_minor) filter (where t.kind like 'ramp.suspended:%' and t.currency = ${sold}), 0) as suspended,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.sold' and t.currency = ${sold}), 0) as sold,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.bought' and t.currency = ${bought}), 0) as bought,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.settled' and t.currency = ${bought}), 0) as paid,
           coalesce(sum(t.amount_minor) filter (where t.kind = 'ramp.returned' and t.currency = ${sold}), 0) as returned
    from ramps r
    join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
    left join ledger_transfers t on t.org_id = r.org_id and t.cause_id = r.payment_id
    group by r.org_id, r.payment_id, p.status
  )
  select payment_id::text as subject,
         format('%s: received %s of %s, kept apart %s, sold %s, bought %s, paid %s of %s, returned %s',
           status, received, collected, suspended, sold, bought, paid, settled, returned) as problem
  from sums
  where received <> received_minor or suspended <> suspended_minor
     or not case status
       when 'completed' then sold = collected and bought = settled and paid = settled and returned = 0
       when 'refunded' then sold = 0 and bought = 0 and paid = 0 and returned in (0, collected)
       else sold = 0 and bought = 0 and paid = 0 and returned = 0
     end`

/** Also what has been released since: the sum of what a person was told is all that was ever kept apart. */
const keptApartIsShown = sql<Violation>`
  select r.payment_id::text as subject,
         format('%s is kept apart, a person was told of %s', r.suspended_minor, sum(e.held_minor)) as problem
  from ramps r
  left join exceptions e on e.org_id = r.org_id and e.payment_id = r.payment_id and e.held_minor is not null
  group by r.org_id, r.payment_id, r.suspended_minor
  having r.suspended_minor <> coalesce(sum(e.held_minor), 0)`

/** A leg that succeeded is what the ramp's status says, and one settlement at most did. */
const legsFit = sql<Violation>`
  select p.payment_id::text as subject,
         format('%s and %s, with %s open, %s settled, %s collected', p.status, r.phase,
           count(*) filter (where l.state in ('sending', 'accepted', 'unknown')),
           count(*) filter (where l.state = 'succeeded' and l.kind in ('settlement', 'whole')),
           count(*) filter (where l.state = 'succeeded' and l.kind = 'collection')) as problem
  from ramps r
  join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
  left join ramp_legs l on l.org_id = r.org_id and l.payment_id = r.payment_id
  group by p.org_id, p.payment_id, p.status, r.phase
  having count(*) filter (where l.state in ('sending', 'accepted', 'unknown')) > 1
      or (p.status = 'completed')
         <> (count(*) filter (where l.state = 'succeeded' and l.kind in ('settlement', 'whole')) = 1)
      or (r.phase = 'closed' and count(*) filter (where l.state in ('sending', 'accepted', 'unknown')) > 0)
  union all
  select p.payment_id::text, 'a payment outside has no ramp'
  from payments p where p.direction = 'external'
    and not exists (select from ramps r where r.org_id = p.org_id and r.payment_id = p.payment_id)`

/** A nonce that nobody uses would hold up every later one of the wallet. */
const transfersFollowed = sql<Violation>`
  select t.reference::text as subject, 'nonce ' || t.nonce || ' is bound and no leg looks after it' as problem
  from wallet_transfers t
  where t.state = 'open' and not exists (
    select from ramp_legs l where l.org_id = t.org_id and l.reference = t.reference
      and l.state in ('sending', 'accepted', 'unknown'))`

export const rampChecks: readonly Check[] = [
  { promise: 'money in the middle belongs to an open ramp', about: 'ramps', violations: nothingForgotten },
  { promise: 'a ramp is posted in both assets as it ended', about: 'ramps', violations: postedAsEnded },
  { promise: 'what a ramp keeps apart is before a person', about: 'ramps', violations: keptApartIsShown },
  { promise: 'a transfer on its way has its leg', about: 'ramp_legs', violations: transfersFollowed },
  { promise: 'legs fit the status of their ramp', about: 'ramp_legs', violations: legsFit },
]
