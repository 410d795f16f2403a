import { sql, type CompiledQuery } from 'kysely'
import type { NextAction, PaymentMethod } from '../../connectors/kit/connector.ts'
import { statements, type Tx } from '../../db/database.ts'
import type { CardSummary, LoadedPayment, Payment, Routing, StoredAttempt } from './record.ts'
import type { AttemptState, Status } from './rules.ts'

const attemptColumns = [
  'attempt_no as attemptNo',
  'provider',
  'config_id as configId',
  'reference',
  'state',
  'provider_ref as providerRef',
  'provider_status as providerStatus',
  'outcome_code as outcomeCode',
  'outcome_message as outcomeMessage',
  'reached_customer as reachedCustomer',
  'not_found_count as notFoundCount',
  'inquiries',
  'otp_tries as otpTries',
  'deadline_at as deadlineAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const selectPayment = (tx: Tx, orgId: string) =>
  tx.db.selectFrom('payments').selectAll().where('org_id', '=', orgId)

type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayment>['executeTakeFirstOrThrow']>>

/** The check constraints of the table are the same lists as these types. */
const toPayment = (row: PaymentRow): Payment => ({
  orgId: row.org_id,
  paymentId: row.payment_id,
  userId: row.user_id,
  direction: row.direction as Payment['direction'], // check constraint
  method: row.payment_method as PaymentMethod, // check constraint
  country: row.country,
  source: { amountMinor: BigInt(row.amount_minor), currency: row.currency },
  target: { amountMinor: BigInt(row.target_amount_minor), currency: row.target_currency },
  status: row.status as Status, // check constraint
  version: row.version,
  eventCount: row.event_count,
  orgRateId: row.org_rate_id,
  clientReference: row.client_reference,
  description: row.description,
  beneficiaryId: row.beneficiary_id,
  linkId: row.link_id,
  fundingAccountId: row.funding_account_id,
  provider: row.provider,
  providerPaymentId: row.provider_payment_id,
  providerStatus: row.provider_status,
  card: row.card as CardSummary | null, // written by insertPayment
  privateSealed: row.private_sealed,
  nextAction: row.next_action as NextAction | null, // written by updatePayment
  routing: row.routing as unknown as Routing, // written by insertPayment
  failureCode: row.failure_code,
  failureMessage: row.failure_message,
  returnUrl: row.return_url,
  metadata: row.metadata as Record<string, unknown> | null, // written by insertPayment
  comments: row.comments,
  refundedMinor: BigInt(row.refunded_minor),
  requestId: row.request_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function findPayment(
  tx: Tx,
  orgId: string,
  paymentId: string,
): Promise<LoadedPayment | undefined> {
  const [row, attempts] = await Promise.all([
    selectPayment(tx, orgId).where('payment_id', '=', paymentId).executeTakeFirst(),
    tx.db
      .selectFrom('attempts')
      .select(attemptColumns)
      .where('org_id', '=', orgId)
      .where('payment_id', '=', paymentId)
      .orderBy('attempt_no')
      .execute(),
  ])
  return row && { payment: toPayment(row), attempts: attempts.map(toAttempt) }
}

const toAttempt = (row: Omit<StoredAttempt, 'state'> & { state: string }): StoredAttempt => ({
  ...row,
  state: row.state as AttemptState, // the table's check constraint is this list
})

/** Which payment a provider speaks of. References are ours and random, so one names at most one attempt. */
export const findAttemptByReferenceAcrossOrgs = (
  tx: Tx,
  reference: string,
): Promise<{ orgId: string; paymentId: string; attemptNo: number } | undefined> =>
  tx.db
    .selectFrom('attempts')
    .select(['org_id as orgId', 'payment_id as paymentId', 'attempt_no as attemptNo'])
    .where('reference', '=', reference)
    .executeTakeFirst()

export const insertPayment = (orgId: string, payment: Payment): CompiledQuery =>
  statements
    .insertInto('payments')
    .values({
      org_id: orgId,
      payment_id: payment.paymentId,
      user_id: payment.userId,
      direction: payment.direction,
      payment_method: payment.method,
      country: payment.country,
      currency: payment.source.currency,
      amount_minor: payment.source.amountMinor.toString(),
      target_currency: payment.target.currency,
      target_amount_minor: payment.target.amountMinor.toString(),
      status: payment.status,
      version: payment.version,
      event_count: payment.eventCount,
      org_rate_id: payment.orgRateId,
      client_reference: payment.clientReference,
      description: payment.description,
      beneficiary_id: payment.beneficiaryId,
      link_id: payment.linkId,
      funding_account_id: payment.fundingAccountId,
      card: payment.card && JSON.stringify(payment.card),
      private_sealed: payment.privateSealed,
      routing: JSON.stringify(payment.routing),
      return_url: payment.returnUrl,
      metadata: payment.metadata && JSON.stringify(payment.metadata),
      request_id: payment.requestId,
      created_at: payment.createdAt,
      updated_at: payment.updatedAt,
    })
    .compile()

export const insertAttempt = (orgId: string, paymentId: string, attempt: StoredAttempt): CompiledQuery =>
  statements
    .insertInto('attempts')
    .values({
      org_id: orgId,
      payment_id: paymentId,
      attempt_no: attempt.attemptNo,
      provider: attempt.provider,
      config_id: attempt.configId,
      reference: attempt.reference,
      state: attempt.state,
      deadline_at: attempt.deadlineAt,
      created_at: attempt.createdAt,
      updated_at: attempt.updatedAt,
    })
    .compile()

/** Fenced: a process that wakes up late and still holds an older version cannot overwrite. */
export const updatePayment = (orgId: string, seenVersion: number, payment: Payment): CompiledQuery =>
  statements
    .with('written', (db) =>
      db
        .updateTable('payments')
        .set({
          status: payment.status,
          version: payment.version,
          event_count: payment.eventCount,
          provider: payment.provider,
          provider_payment_id: payment.providerPaymentId,
          provider_status: payment.providerStatus,
          next_action: payment.nextAction && JSON.stringify(payment.nextAction),
          failure_code: payment.failureCode,
          failure_message: payment.failureMessage,
          comments: payment.comments,
          funding_account_id: payment.fundingAccountId,
          refunded_minor: payment.refundedMinor.toString(),
          updated_at: payment.updatedAt,
        })
        .where('org_id', '=', orgId)
        .where('payment_id', '=', payment.paymentId)
        .where('version', '=', seenVersion)
        .returning('payment_id'),
    )
    .selectFrom('written')
    .select(sql`assert_written(count(*))`.as('fence'))
    .compile()

export const updateAttempt = (orgId: string, paymentId: string, attempt: StoredAttempt): CompiledQuery =>
  statements
    .updateTable('attempts')
    .set({
      state: attempt.state,
      provider_ref: attempt.providerRef,
      provider_status: attempt.providerStatus,
      outcome_code: attempt.outcomeCode,
      outcome_message: attempt.outcomeMessage,
      reached_customer: attempt.reachedCustomer,
      not_found_count: attempt.notFoundCount,
      inquiries: attempt.inquiries,
      otp_tries: attempt.otpTries,
      updated_at: attempt.updatedAt,
    })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('attempt_no', '=', attempt.attemptNo)
    .compile()

export const insertInquiry = (
  orgId: string,
  paymentId: string,
  inquiry: { inquiryId: string; attemptNo: number; result: string; detail: string | null },
): CompiledQuery =>
  statements
    .insertInto('inquiries')
    .values({
      org_id: orgId,
      payment_id: paymentId,
      inquiry_id: inquiry.inquiryId,
      attempt_no: inquiry.attemptNo,
      result: inquiry.result,
      detail: inquiry.detail,
    })
    .compile()

export const selectOpenPaymentsAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('payments')
    .select(['org_id as orgId', 'payment_id as paymentId'])
    // As its index says it: a parameter would not let the planner use that.
    .where(sql<boolean>`is_open`)
    .where('status', 'in', ['confirmed', 'processing', 'pending'])
    .where('direction', '<>', 'external')
    .$if(after !== undefined, (query) => query.where('payment_id', '>', after ?? ''))
    .orderBy('payment_id')
    .limit(limit)
    .execute()

export const insertReview = (
  orgId: string,
  review: { paymentId: string; userId: string; decision: string; comments: string | null },
): CompiledQuery =>
  statements
    .insertInto('reviews')
    .values({
      org_id: orgId,
      payment_id: review.paymentId,
      user_id: review.userId,
      decision: review.decision,
      comments: review.comments,
    })
    .compile()

export async function selectReviewers(tx: Tx, orgId: string, paymentId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('reviews')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .execute()
  return rows.map((row) => row.user_id)
}

export async function selectStatuses(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<{ paymentId: string; status: Status }[]> {
  const rows = await tx.db
    .selectFrom('payments')
    .select(['payment_id as paymentId', 'status'])
    .where('org_id', '=', orgId)
    .where('payment_id', '=', sql<string>`any(${[...paymentIds]}::uuid[])`)
    .execute()
  return rows.map((row) => ({ ...row, status: row.status as Status })) // check constraint
}

/** The statuses are those of the partial index. */
export const findOpenPaymentTo = (tx: Tx, orgId: string, beneficiaryId: string) =>
  tx.db
    .selectFrom('payments')
    .select('payment_id as paymentId')
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', beneficiaryId)
    .where('status', 'in', ['initiated', 'reviewed', 'confirmed', 'processing', 'pending'])
    .limit(1)
    .executeTakeFirst()
