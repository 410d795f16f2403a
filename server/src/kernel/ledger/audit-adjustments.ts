import { sql } from 'kysely'
import type { Check, Violation } from './audit-check.ts'

/** Checks both directions: each adjustment is posted once as it was written down, and nothing else is. */
const posted = sql<Violation>`
  select coalesce(a.adjustment_id, t.cause_id)::text as subject,
         case when t.cause_id is null then 'an adjustment is not posted'
              when a.adjustment_id is null then 'an adjustment is posted that nobody made'
              else 'an adjustment is posted with another amount or between other accounts' end as problem
  from ledger_adjustments a
  full join (select * from ledger_transfers where kind = 'adjustment') t
    on t.org_id = a.org_id and t.cause_id = a.adjustment_id
  where a.adjustment_id is null or t.cause_id is null
     or (t.phase, t.debit_account, t.credit_account, t.currency, t.amount_minor)
        is distinct from ('posted', a.debit_account, a.credit_account, a.currency, a.amount_minor)`

/** An account of the organisation itself holds own money; every other one is in the operator's books. */
const twoPeople = sql<Violation>`
  with touched as (
    select a.*, exists (
      select from provider_accounts p where p.org_id = a.org_id
        and 'provider:' || p.provider || ':' || p.account_id in (a.debit_account, a.credit_account)
    ) or 'available:own' in (a.debit_account, a.credit_account) as is_own
    from ledger_adjustments a
  )
  select t.adjustment_id::text as subject,
         case when c.request_id is null then 'no approved change request stands behind an adjustment'
              when not t.is_own and c.approver <> 'operator' then 'the operator did not decide about pooled money'
              else 'an adjustment differs from what was approved' end as problem
  from touched t left join change_requests c
    on c.org_id = t.org_id and c.request_id = t.adjustment_id and c.status = 'approved' and c.kind = 'ledger.adjust'
  where c.request_id is null or (not t.is_own and c.approver <> 'operator') or c.requested_by = c.decided_by
     or (c.requested_by, c.decided_by, c.payload ->> 'debit', c.payload ->> 'credit', c.payload ->> 'currency',
         c.payload ->> 'amount_minor')
        is distinct from (t.proposed_by, t.approved_by, t.debit_account, t.credit_account, t.currency,
         t.amount_minor::text)`

const custodies = sql<Violation>`
  select adjustment_id::text as subject,
         debit_account || ' to ' || credit_account || ' moves money between custodies or out of a hold' as problem
  from ledger_adjustments
  where ('available' in (debit_account, credit_account) and 'available:own' in (debit_account, credit_account))
     or debit_account in ('outgoing', 'suspense', 'ramps') or credit_account in ('outgoing', 'suspense', 'ramps')
     or debit_account like 'va:%' or credit_account like 'va:%'`

export const adjustmentChecks: readonly Check[] = [
  { promise: 'an adjustment is posted exactly once', about: 'ledger_adjustments', violations: posted },
  { promise: 'two people stand behind every adjustment', about: 'ledger_adjustments', violations: twoPeople },
  {
    promise: 'an adjustment changes neither custody nor holds',
    about: 'ledger_adjustments',
    violations: custodies,
  },
]
