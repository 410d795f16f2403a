import type { Tx } from '../../../db/database.ts'

export type History = Awaited<ReturnType<typeof selectHistory>>
export type Decisions = Awaited<ReturnType<typeof selectDecisions>>

const rowsLimit = 500

const disputesOf = (tx: Tx, orgId: string, paymentId: string) =>
  tx.db
    .selectFrom('disputes')
    .select('dispute_id')
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)

/** A declared reader of other domains' tables: it merges their rows and writes none. */
export async function selectHistory(tx: Tx, orgId: string, paymentId: string) {
  const [inquiries, webhooks, postings, events, reviews, refunds, exceptions, disputes] = await Promise.all([
    tx.db
      .selectFrom('inquiries')
      .select(['attempt_no', 'result', 'detail', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .limit(rowsLimit)
      .execute(),
    tx.db
      .selectFrom('inbox')
      .select(['provider', 'dedupe_key', 'reference', 'verdict', 'provider_status', 'result', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .limit(rowsLimit)
      .execute(),
    tx.db
      .selectFrom('ledger_transfers')
      .select(['kind', 'phase', 'debit_account', 'credit_account', 'currency', 'amount_minor', 'created_at'])
      .where('org_id', '=', orgId)
      .where((is) =>
        is.or([is('cause_id', '=', paymentId), is('cause_id', 'in', disputesOf(tx, orgId, paymentId))]),
      )
      .limit(rowsLimit)
      .execute(),
    tx.db
      .selectFrom('events')
      .select(['event_id', 'event_type', 'sequence', 'created_at'])
      .where('org_id', '=', orgId)
      .where('resource_id', '=', paymentId)
      .orderBy('sequence')
      .orderBy('event_type')
      .limit(rowsLimit)
      .execute(),
    tx.db
      .selectFrom('reviews')
      .select(['user_id', 'decision', 'comments', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .execute(),
    tx.db
      .selectFrom('refunds')
      .select(['refund_id', 'amount_minor', 'currency', 'state', 'reference', 'reason', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .limit(rowsLimit)
      .execute(),
    tx.db
      .selectFrom('exceptions')
      .select(['exception_id', 'summary', 'suggested_action', 'status', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .limit(rowsLimit)
      .execute(),
    selectDisputes(tx, orgId, paymentId),
  ])
  return { inquiries, webhooks, postings, events, reviews, refunds, exceptions, disputes }
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
      .limit(rowsLimit)
      .execute(),
    tx.db
      .selectFrom('ledger_adjustments')
      .select(['adjustment_id', 'debit_account', 'credit_account', 'currency', 'amount_minor', 'reason'])
      .select(['proposed_by', 'approved_by', 'created_at'])
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .limit(rowsLimit)
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
    .limit(rowsLimit)
    .execute()
