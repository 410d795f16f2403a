import { sql } from 'kysely'
import type { Check, Violation } from './audit-check.ts'
import { forcedKinds } from './available.ts'

/** Both sides of every transfer: `final` is posted, `held` is set aside on the debit side. */
const sides = sql`
  sides (org_id, account, currency, xact_id, final, held) as (
    select org_id, debit_account, currency, xact_id,
           case when phase in ('posted', 'post') then -amount_minor else 0 end,
           case when phase = 'pending' then amount_minor when phase in ('post', 'void') then -amount_minor else 0 end
    from ledger_transfers
    union all
    select org_id, credit_account, currency, xact_id,
           case when phase in ('posted', 'post') then amount_minor else 0 end, 0
    from ledger_transfers
  )`

const foldedSums = sql<Violation>`
  with ${sides},
  sums as (
    select org_id, account, currency, sum(final) as final, sum(held) as held from sides
    where account in ('available', 'available:own') and xact_id < (select folded_below from balance_fold_progress)
    group by org_id, account, currency
  )
  select coalesce(f.org_id, s.org_id)::text as subject,
         format('%s is folded to %s posted and %s held, its transfers sum to %s and %s %s',
           coalesce(f.account, s.account), f.posted_minor, f.held_minor, s.final, s.held,
           coalesce(f.currency, s.currency)) as problem
  from balance_folds f full join sums s using (org_id, account, currency)
  where coalesce(f.posted_minor, 0) <> coalesce(s.final, 0) or coalesce(f.held_minor, 0) <> coalesce(s.held, 0)`

/**
 * The limit of each organisation and currency. What a provider has already done cannot be refused, so the limit grows
 * by these amounts. Each of them has an exception or belongs to a dispute.
 */
const allowances = (debited: readonly string[]) => sql`
  allowances as (
    select org_id, currency, sum(amount) as amount from (
      select org_id, currency, limit_minor as amount from credit_limits
      union all
      select org_id, currency, amount_minor from ledger_transfers
      where kind like any(${[...forcedKinds]}::text[]) and debit_account = any(${[...debited]}::text[])
    ) parts group by org_id, currency
  )`

const withinLimits = sql<Violation>`
  with ${sides}, ${allowances(['available'])},
  balances as (
    select org_id, currency, sum(final) - sum(held) as amount from sides where account = 'available'
    group by org_id, currency
  )
  select b.org_id::text as subject,
         format('the pooled balance is %s %s, its limit is %s', b.amount, b.currency, coalesce(a.amount, 0)) as problem
  from balances b left join allowances a using (org_id, currency)
  where b.amount < -coalesce(a.amount, 0)`

/** The rest of an organisation's deposits equals the sum of all its ledger accounts. */
const takenOut = sql<Violation>`
  with ${sides}, ${allowances(['available', 'suspense'])},
  claims as (
    select org_id, currency, sum(final) as amount from sides
    where account in ('available', 'outgoing', 'suspense', 'ramps', 'fees', 'fees_due') or account like 'va:%'
    group by org_id, currency
  )
  select c.org_id::text as subject,
         format('%s %s more was taken out than put in, the limit is %s', -c.amount, c.currency,
           coalesce(a.amount, 0)) as problem
  from claims c left join allowances a using (org_id, currency)
  where c.amount < -coalesce(a.amount, 0)`

export const balanceChecks: readonly Check[] = [
  {
    promise: 'a folded balance is the sum of its transfers',
    about: 'balance_folds',
    violations: foldedSums,
  },
  {
    promise: 'no pooled balance is below its limit',
    about: 'ledger_transfers',
    violations: withinLimits,
  },
  {
    promise: 'nobody takes out more than was put in, plus the limit',
    about: 'ledger_transfers',
    violations: takenOut,
  },
]
