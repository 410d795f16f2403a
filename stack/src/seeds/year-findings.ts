import { sql, type RawBuilder } from 'kysely'
import { suggestedActions } from '@switchyard/server/domains/people/exceptions/describe-kinds.ts'
import { amountOf } from './year-statements.ts'

/** Disputes in three states, of the newest card payments. The provider has withdrawn nothing yet, so nothing is posted. */
const insertDisputes = (orgId: string, now: Date): RawBuilder<unknown> => sql`
  with paid as (
    select p.*, row_number() over (order by p.created_at desc) as place from payments p
    where p.org_id = ${orgId} and p.request_id = 'seed' and p.payment_method = 'card' and p.status = 'completed'
      and p.created_at < ${now}::timestamptz - interval '2 days'
    order by p.created_at desc limit 6
  ),
  opened as (
    insert into disputes (org_id, dispute_id, payment_id, provider, account_id, custody, provider_ref, state, reason,
      provider_reason, provider_status, amount_minor, currency, due_by, event_count, created_at, updated_at)
    select org_id, gen_random_uuid(), payment_id, provider, account_id, 'pooled', 'dp_' || right(payment_id::text, 12),
      (array['needs_response', 'needs_response', 'under_review', 'needs_response', 'warning', 'needs_response'])[place],
      (array['not_received', 'fraudulent', 'duplicate', 'unrecognized', 'general', 'not_as_described'])[place],
      (array['product_not_received', 'fraudulent', 'duplicate', 'unrecognized', 'general', 'product_unacceptable'])[place],
      'open', amount_minor, currency, ${now}::timestamptz + place * interval '31 hours', 1,
      ${now}::timestamptz - place * interval '5 hours', ${now}::timestamptz - place * interval '5 hours'
    from paid
    returning *
  ),
  demanded as (
    insert into payin_sums (org_id, payment_id, charged_minor, disputed_minor)
    select org_id, payment_id, amount_minor, amount_minor from opened where state <> 'warning'
  )
  insert into events (org_id, event_id, event_type, resource_id, sequence, data, created_at)
  select p.org_id, uuidv7(p.created_at - now()), 'dispute.opened', p.dispute_id, 1, jsonb_build_object(
      'dispute_id', p.dispute_id, 'payment_id', p.payment_id, 'state', p.state, 'previous_state', null,
      'reason', p.reason, 'provider', p.provider, 'provider_reason', p.provider_reason,
      'amount', ${amountOf(sql`p.amount_minor`)}, 'currency', p.currency, 'withdrawn_amount', 0,
      'due_by', to_char(p.due_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updated_at', to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'sequence', 1)::text,
    p.created_at
  from opened p`

/** What the nightly comparison with a provider's list would have found. */
const insertExceptions = (orgId: string, now: Date): RawBuilder<unknown> => sql`
  insert into exceptions (org_id, exception_id, kind, payment_id, provider, summary, suggested_action, finding_key,
    created_at, updated_at)
  select p.org_id, gen_random_uuid(), found.kind, p.payment_id, p.provider, found.summary, found.action,
    'seed ' || p.payment_id, ${now}::timestamptz - found.place * interval '7 hours',
    ${now}::timestamptz - found.place * interval '7 hours'
  from (values
    (1, 'amount_differs', 'The provider’s list has another amount for this payment.',
      ${suggestedActions.amount_differs}),
    (2, 'missing_there', 'The provider’s list does not have this payment.', ${suggestedActions.missing_there}),
    (3, 'state_differs', 'The provider calls this payment failed; here it is completed.',
      ${suggestedActions.state_differs})
  ) found (place, kind, summary, action)
  join lateral (
    select * from payments p where p.org_id = ${orgId} and p.request_id = 'seed' and p.status = 'completed'
    order by p.created_at desc offset found.place * 11 limit 1
  ) p on true`

/** What waits for people. */
export const findingStatements = (orgId: string, now: Date): RawBuilder<unknown>[] => [
  insertDisputes(orgId, now),
  insertExceptions(orgId, now),
]
