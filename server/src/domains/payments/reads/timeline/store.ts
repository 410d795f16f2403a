import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { smallestCausedBy } from '../../../../lib/ids.ts'

export type History = Awaited<ReturnType<typeof selectHistory>>
export type RampHistory = Awaited<ReturnType<typeof selectRamp>>
export type Decisions = Awaited<ReturnType<typeof selectDecisions>>

/** Of each kind, the newest. One more is read, to see whether there are more. */
export const rowsLimit = 500

const disputesOf = (tx: Tx, orgId: string, paymentId: string) =>
  tx.db
    .selectFrom('disputes')
    .select('dispute_id')
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)

/** A declared reader of other domains' tables: it merges their rows and writes none. */
export async function selectHistory(tx: Tx, orgId: string, paymentId: string) {
  const [inquiries, webhooks, postings, events, deliveries, consequences] = await Promise.all([
    tx.db
      .selectFrom('inquiries')
      .select(['inquiry_id', 'attempt_no', 'result', 'detail', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .where('inquiry_id', '>=', smallestCausedBy(paymentId))
      .orderBy('inquiry_id', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('inbox')
      .select(['provider', 'dedupe_key', 'reference', 'verdict', 'provider_status', 'result', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('created_at', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('ledger_transfers')
      .select(['cause_id', 'kind', 'phase', 'debit_account', 'credit_account', 'currency'])
      .select(['amount_minor', 'created_at'])
      .where('org_id', '=', orgId)
      .where((is) =>
        is.or([is('cause_id', '=', paymentId), is('cause_id', 'in', disputesOf(tx, orgId, paymentId))]),
      )
      .orderBy('created_at', 'desc')
      .orderBy('kind', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('events')
      .select(['event_id', 'event_type', 'sequence', 'created_at'])
      .where('org_id', '=', orgId)
      .where('resource_id', '=', paymentId)
      .where('event_id', '>=', smallestCausedBy(paymentId))
      .orderBy('sequence', 'desc')
      .orderBy('event_type', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    selectDeliveries(tx, orgId, paymentId),
    selectConsequences(tx, orgId, paymentId),
  ])
  return { inquiries, webhooks, postings, events, deliveries, ...consequences }
}

async function selectConsequences(tx: Tx, orgId: string, paymentId: string) {
  const [reviews, refundReviews, refunds, exceptions, disputes] = await Promise.all([
    tx.db
      .selectFrom('reviews')
      .select(['user_id', 'decision', 'comments', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('refund_reviews as review')
      .innerJoin('refunds as refund', (join) =>
        join.onRef('refund.org_id', '=', 'review.org_id').onRef('refund.refund_id', '=', 'review.refund_id'),
      )
      .select(['review.refund_id', 'review.user_id', 'review.decision', 'review.comments'])
      .select('review.created_at')
      .where('refund.org_id', '=', orgId)
      .where('refund.payment_id', '=', paymentId)
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('refunds')
      .select([
        'refund_id',
        'user_id',
        'amount_minor',
        'currency',
        'state',
        'reference',
        'custody',
        'reason',
        'created_at',
      ])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('created_at', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('exceptions')
      .select(['exception_id', 'summary', 'suggested_action', 'status', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('created_at', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    selectDisputes(tx, orgId, paymentId),
  ])
  return { reviews, refundReviews, refunds, exceptions, disputes }
}

/** The terms and the legs of a ramp; a payment that is none has neither. */
export async function selectRamp(tx: Tx, orgId: string, paymentId: string) {
  const [ramp, legs] = await Promise.all([
    tx.db
      .selectFrom('ramps')
      .select(['direction', 'fiat_currency', 'fiat_minor', 'crypto_currency', 'crypto_minor'])
      .select(['crypto_network', 'wallet_address', 'rate', 'phase', 'expires_at', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .executeTakeFirst(),
    tx.db
      .selectFrom('ramp_legs')
      .select(['leg_no', 'kind', 'provider', 'method', 'currency', 'amount_minor', 'reference', 'state'])
      .select('custody')
      .select(['provider_ref', 'provider_status', 'outcome_code', 'outcome_message'])
      .select(['created_at', 'updated_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('leg_no')
      .execute(),
  ])
  return { ramp, legs }
}

/** What two people decided about the payment, and what they corrected in the ledger. */
export async function selectDecisions(tx: Tx, orgId: string, paymentId: string) {
  const [resolutions, adjustments] = await Promise.all([
    tx.db
      .selectFrom('resolutions')
      .select(['resolution_id', 'outcome', 'evidence', 'provider_reference', 'created_at'])
      .select(['attempt_no', 'leg_no', 'refund_id', 'proposed_by', 'approved_by'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('created_at', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
    tx.db
      .selectFrom('ledger_adjustments')
      .select(['adjustment_id', 'debit_account', 'credit_account', 'currency', 'amount_minor', 'reason'])
      .select(['proposed_by', 'approved_by', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('created_at', 'desc')
      .limit(rowsLimit + 1)
      .execute(),
  ])
  return { resolutions, adjustments }
}

const selectDisputes = (tx: Tx, orgId: string, paymentId: string) =>
  tx.db
    .selectFrom('disputes')
    .select([
      'dispute_id',
      'amount_minor',
      'currency',
      'state',
      'reason',
      'provider_ref',
      'withdrawn_minor',
      'due_by',
      'created_at',
    ])
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .orderBy('created_at', 'desc')
    .limit(rowsLimit + 1)
    .execute()

interface Delivery {
  delivery_id: string
  webhook_id: string
  event_id: string
  event_type: string
  endpoint_url: string | null
  status: string
  next_attempt_at: Date | null
  created_at: Date
  /** By the json functions of Postgres, so the times are text. */
  attempts: {
    attempt_no: number
    at: string
    response_status: number | null
    error: string | null
    duration_ms: number
  }[]
}

async function selectDeliveries(tx: Tx, orgId: string, paymentId: string): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select d.delivery_id, d.webhook_id, d.event_id, d.event_type, w.endpoint_url, d.status, d.next_attempt_at,
      d.created_at, coalesce(tried.attempts, '[]') as attempts
    from events e
    join deliveries d on d.org_id = e.org_id and d.event_id = e.event_id
    left join webhooks w on w.org_id = d.org_id and w.webhook_id = d.webhook_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('attempt_no', a.attempt_no, 'at', a.created_at, 'error', a.error,
        'response_status', a.response_status, 'duration_ms', a.duration_ms) order by a.attempt_no) as attempts
      from delivery_attempts a where a.org_id = d.org_id and a.delivery_id = d.delivery_id) tried
    where e.org_id = ${orgId} and e.resource_id = ${paymentId} and e.event_id >= ${smallestCausedBy(paymentId)}
    order by d.created_at desc, d.delivery_id desc limit ${rowsLimit + 1}`.execute(tx.db)
  return rows
}

/** When the engine takes the payment over, if it has not yet. */
export async function findFirstPoll(tx: Tx, orgId: string, paymentId: string): Promise<Date | undefined> {
  const row = await tx.db
    .selectFrom('outbox')
    .select('due_at')
    .where('org_id', '=', orgId)
    .where('outbox_id', '=', paymentId)
    .executeTakeFirst()
  return row?.due_at
}
