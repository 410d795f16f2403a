import { sql, type RawBuilder } from 'kysely'
import { exponentOf } from '@switchyard/server/lib/money/money.ts'
import { corridors } from './year-corridors.ts'
import type { PaymentDraft } from './year-drafts.ts'

const exponents = JSON.stringify(
  Object.fromEntries(
    Object.values(corridors)
      .flat()
      .map(({ currency }) => [currency, exponentOf(currency)]),
  ),
)

export interface SealedDraft extends PaymentDraft {
  sealed: Buffer
}

/** What the operations of the API would have written, for many payments at once. */
export function statementsFor(orgId: string, drafts: readonly SealedDraft[]): RawBuilder<unknown>[] {
  const ids = drafts.map(({ payment }) => payment.payment_id)
  const written = sql`payments p where p.org_id = ${orgId} and p.payment_id = any(${ids}::uuid[])`
  return [
    insertPayments(orgId, drafts),
    insertAttempts(
      orgId,
      drafts.flatMap(({ attempts }) => attempts),
    ),
    insertRefunds(
      orgId,
      drafts.flatMap(({ refunds }) => refunds),
    ),
    insertSums(written),
    insertEvents(written),
    insertTransfers(written),
    insertRefundTransfers(written),
  ]
}

function insertPayments(orgId: string, drafts: readonly SealedDraft[]): RawBuilder<unknown> {
  const rows = JSON.stringify(
    drafts.map(({ payment, sealed }) => ({ ...payment, private_sealed: `\\x${sealed.toString('hex')}` })),
  )
  return sql`
    insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
      target_currency, target_amount_minor, status, version, event_count, client_reference, description, beneficiary_id,
      provider, account_id, custody, provider_payment_id, provider_status, card, private_sealed, routing, failure_code,
      failure_message, refunded_minor, request_id, created_at, updated_at)
    select ${orgId}::uuid, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
      target_currency, target_amount_minor, status, 1, event_count, client_reference, description, beneficiary_id,
      provider, account_id, custody, provider_payment_id, provider_status, card, private_sealed, routing, failure_code,
      failure_message, refunded_minor, 'seed', created_at, updated_at
    from jsonb_to_recordset(${rows}::jsonb) as row (payment_id uuid, user_id text, direction text, payment_method text,
      country text, currency text, amount_minor numeric, target_currency text, target_amount_minor numeric, status text,
      event_count integer, client_reference text, description text, beneficiary_id uuid, provider text, account_id uuid,
      custody text, provider_payment_id text, provider_status text, card jsonb, private_sealed bytea, routing jsonb,
      failure_code text, failure_message text, refunded_minor numeric, created_at timestamptz, updated_at timestamptz)`
}

const insertAttempts = (orgId: string, rows: readonly object[]): RawBuilder<unknown> => sql`
  insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
    state_changes, provider_ref, provider_status, outcome_code, outcome_message, deadline_at, created_at, updated_at)
  select ${orgId}::uuid, payment_id, attempt_no, provider, config_id, account_id, 'pooled', reference, state,
    state_changes, provider_ref, provider_status, outcome_code, outcome_message, created_at + interval '1 minute',
    created_at, updated_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (payment_id uuid, attempt_no smallint, provider text,
    config_id uuid, account_id uuid, reference uuid, state text, state_changes jsonb, provider_ref text,
    provider_status text, outcome_code text, outcome_message text, created_at timestamptz, updated_at timestamptz)`

const insertRefunds = (orgId: string, rows: readonly object[]): RawBuilder<unknown> => sql`
  insert into refunds (org_id, refund_id, payment_id, amount_minor, currency, debit_minor, debit_currency, origin,
    custody, reason, state, reference, provider, account_id, user_id, created_at, updated_at)
  select ${orgId}::uuid, r.refund_id, r.payment_id, r.amount_minor, r.currency, r.amount_minor, r.currency, 'api',
    'pooled', r.reason, 'completed', r.reference, r.provider, r.account_id, p.user_id, r.created_at, r.created_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (refund_id uuid, payment_id uuid, amount_minor numeric,
    currency text, reason text, reference uuid, provider text, account_id uuid, created_at timestamptz)
  join payments p on p.org_id = ${orgId}::uuid and p.payment_id = r.payment_id`

/** What went back to the payers. */
const insertSums = (written: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into payin_sums (org_id, payment_id, charged_minor, refunded_minor)
  select org_id, payment_id, amount_minor, refunded_minor from ${written} and p.refunded_minor > 0`

const settledAt = sql`p.created_at + ((p.amount_minor % 90)::integer + 2) * interval '1 second'`

/** In whole units, for a row `p` with a currency. */
export const amountOf = (column: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  round(${column} / power(10::numeric, (${exponents}::jsonb ->> p.currency)::integer),
        (${exponents}::jsonb ->> p.currency)::integer)`

/** The changes of a status, each with the events that it publishes. */
const insertEvents = (written: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into events (org_id, event_id, event_type, resource_id, sequence, data, created_at)
  select p.org_id, uuidv7(step.at - now()), step.event_type, p.payment_id, step.sequence, jsonb_build_object(
      'payment_id', p.payment_id, 'transaction_id', p.payment_id, 'status', step.status,
      'previous_status', step.previous, 'amount', ${amountOf(sql`p.amount_minor`)}, 'currency', p.currency,
      'target_amount', ${amountOf(sql`p.target_amount_minor`)}, 'target_currency', p.target_currency,
      'refunded_amount', case step.status when 'refunded' then ${amountOf(sql`p.refunded_minor`)} else 0 end,
      'direction', p.direction, 'payment_method', p.payment_method, 'provider', p.provider,
      'client_reference', p.client_reference, 'failure', case when p.failure_code is not null then
        jsonb_build_object('code', p.failure_code, 'message', p.failure_message) end,
      'fee_ids', '[]'::jsonb, 'total_fees', null, 'fees_currency', null, 'metadata', null,
      'updated_at', to_char(step.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'sequence', step.sequence)::text, step.at
  from (select * from ${written}) p
  join lateral (values
    (1, 'payment.processing', 'confirmed', 'processing', array['completed', 'refunded'], p.created_at + interval '1 second'),
    (1, 'transaction.updated', 'confirmed', 'processing', array['completed', 'refunded'], p.created_at + interval '1 second'),
    (2, 'payment.completed', 'processing', 'completed', array['completed', 'refunded'], ${settledAt}),
    (2, 'transaction.updated', 'processing', 'completed', array['completed', 'refunded'], ${settledAt}),
    (3, 'payment.refunded', 'completed', 'refunded', array['refunded'], p.updated_at),
    (3, 'transaction.updated', 'completed', 'refunded', array['refunded'], p.updated_at),
    (1, 'payment.failed', 'confirmed', 'failed', array['failed'], p.created_at + interval '1 second'),
    (1, 'transaction.updated', 'confirmed', 'failed', array['failed'], p.created_at + interval '1 second')
  ) step (sequence, event_type, previous, status, of_statuses, at) on p.status = any(step.of_statuses)`

/** A payin credits the balance; a payout is held first, then posted and settled, or released. */
const insertTransfers = (written: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor,
    created_at)
  select p.org_id, p.payment_id, posting.kind, posting.phase, posting.debit, posting.credit, p.currency, p.amount_minor,
    posting.at
  from (select * from ${written}) p
  join lateral (values
    ('payin', 'posted', 'provider:' || p.provider || ':' || p.account_id, 'available', 'inbound', true, ${settledAt}),
    ('payout.hold', 'pending', 'available', 'outgoing', 'outbound', null, p.created_at),
    ('payout.hold.resolved', 'post', 'available', 'outgoing', 'outbound', true, ${settledAt}),
    ('payout.settled', 'posted', 'outgoing', 'provider:' || p.provider || ':' || p.account_id, 'outbound', true, ${settledAt}),
    ('payout.hold.resolved', 'void', 'available', 'outgoing', 'outbound', false, p.updated_at)
  ) posting (kind, phase, debit, credit, direction, is_paid, at)
    on p.direction = posting.direction and (posting.is_paid is null or posting.is_paid = (p.status <> 'failed'))`

const insertRefundTransfers = (written: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor,
    created_at)
  select r.org_id, r.refund_id, posting.kind, posting.phase, 'available', 'provider:' || r.provider || ':' || r.account_id,
    r.currency, r.amount_minor, r.created_at
  from (select * from ${written}) p
  join refunds r on r.org_id = p.org_id and r.payment_id = p.payment_id
  cross join (values ('refund', 'pending'), ('refund.resolved', 'post')) posting (kind, phase)`
