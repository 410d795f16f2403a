import { sql, type CompiledQuery } from 'kysely'
import type { NextAction, PaymentMethod } from '../../connectors/kit/connector.ts'
import { compileOnce } from '../../kernel/db/compile-once.ts'
import { statements, type Tx } from '../../kernel/db/database.ts'
import { assertWritten } from '../../kernel/db/errors.ts'
import type { DailyLimit } from '../pricing/approval-policies/record.ts'
import { selectAttempts } from './attempts/store.ts'
import { feeOf, toFeeColumns } from './reads/fees/rules.ts'
import type { CardSummary, LoadedPayment, Payment, Routing } from './record.ts'
import type { Status } from './lifecycle/rules.ts'
import { toSums } from './sums/record.ts'
import { sumsColumns } from './sums/store.ts'

const selectPayment = (tx: Tx, orgId: string) =>
  tx.db
    .selectFrom('payments')
    .leftJoin('payin_sums', (join) =>
      join
        .onRef('payin_sums.org_id', '=', 'payments.org_id')
        .onRef('payin_sums.payment_id', '=', 'payments.payment_id'),
    )
    .selectAll('payments')
    .select(sumsColumns)
    .where('payments.org_id', '=', orgId)

type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayment>['executeTakeFirstOrThrow']>>

const toPayment = (row: PaymentRow): Payment => ({
  orgId: row.org_id,
  paymentId: row.payment_id,
  userId: row.user_id,
  onBehalfOf: row.on_behalf_of,
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
  custody: row.custody as Payment['custody'], // check constraint
  provider: row.provider,
  accountId: row.account_id,
  providerPaymentId: row.provider_payment_id,
  providerStatus: row.provider_status,
  card: row.card as CardSummary | null, // written by insertPayment
  privateSealed: row.private_sealed,
  erasedAt: row.erased_at,
  nextAction: row.next_action as NextAction | null, // written by updatePayment
  routing: row.routing as unknown as Routing, // written by insertPayment
  failureCode: row.failure_code,
  failureMessage: row.failure_message,
  returnUrl: row.return_url,
  metadata: row.metadata as Record<string, unknown> | null, // written by insertPayment
  comments: row.comments,
  refundedMinor: BigInt(row.refunded_minor),
  sums: toSums(row),
  fee: feeOf(row),
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
    selectPayment(tx, orgId).where('payments.payment_id', '=', paymentId).executeTakeFirst(),
    selectAttempts(tx, orgId, paymentId),
  ])
  return row && { payment: toPayment(row), attempts }
}

/** The versions of those payments that exist, of any organisations. */
export async function selectVersionsAcrossOrgs(
  db: Tx['db'],
  payments: readonly Pick<Payment, 'orgId' | 'paymentId'>[],
): Promise<{ paymentId: string; version: number }[]> {
  const { rows } = await sql<{ paymentId: string; version: number }>`
    select payment.payment_id as "paymentId", payment.version
    from unnest(
      ${payments.map(({ orgId }) => orgId)}::uuid[], ${payments.map(({ paymentId }) => paymentId)}::uuid[]
    ) as seen (org_id, payment_id)
    join payments payment on payment.org_id = seen.org_id and payment.payment_id = seen.payment_id`.execute(
    db,
  )
  return rows
}

/** Waits for a change that is under way, and holds off others until the commit. */
export const lockPayment = (tx: Tx, orgId: string, paymentId: string) =>
  tx.db
    .selectFrom('payments')
    .select('version')
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst()

const insertPaymentRow = compileOnce<ReturnType<typeof toInsertedColumns>>((row) =>
  statements.insertInto('payments').values(row).compile(),
)

export const insertPayment = (orgId: string, payment: Payment): CompiledQuery =>
  insertPaymentRow(toInsertedColumns(orgId, payment))

const toInsertedColumns = (orgId: string, payment: Payment) => ({
  org_id: orgId,
  payment_id: payment.paymentId,
  user_id: payment.userId,
  on_behalf_of: payment.onBehalfOf,
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
  custody: payment.custody,
  card: payment.card && JSON.stringify(payment.card),
  private_sealed: payment.privateSealed,
  routing: JSON.stringify(payment.routing),
  return_url: payment.returnUrl,
  metadata: payment.metadata && JSON.stringify(payment.metadata),
  ...toFeeColumns(payment.fee),
  request_id: payment.requestId,
  created_at: payment.createdAt,
  updated_at: payment.updatedAt,
})

interface PaymentFence {
  orgId: string
  paymentId: string
  seenVersion: number
}

const updatePaymentRow = compileOnce<PaymentFence & ReturnType<typeof toUpdatedColumns>>(
  ({ orgId, paymentId, seenVersion, ...row }) =>
    statements
      .with('written', (db) =>
        db
          .updateTable('payments')
          .set(row)
          .where('org_id', '=', orgId)
          .where('payment_id', '=', paymentId)
          .where('version', '=', seenVersion)
          .returning('payment_id'),
      )
      .selectFrom('written')
      .select(assertWritten('staleVersion').as('fence'))
      .compile(),
)

/** Fenced by the version: a process that holds an outdated payment cannot overwrite a newer one. */
export const updatePayment = (orgId: string, seenVersion: number, payment: Payment): CompiledQuery =>
  updatePaymentRow({ orgId, paymentId: payment.paymentId, seenVersion, ...toUpdatedColumns(payment) })

const toUpdatedColumns = (payment: Payment) => ({
  status: payment.status,
  version: payment.version,
  event_count: payment.eventCount,
  custody: payment.custody,
  provider: payment.provider,
  account_id: payment.accountId,
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

export const selectOpenPaymentsAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('payments')
    .select(['org_id as orgId', 'payment_id as paymentId'])
    // Written as in the partial index: the planner could not match a parameter to it.
    .where(sql<boolean>`is_open`)
    .where('status', 'in', ['confirmed', 'processing', 'pending'])
    .where('direction', '<>', 'external')
    .$if(after !== undefined, (query) => query.where('payment_id', '>', after ?? ''))
    .orderBy('payment_id')
    .limit(limit)
    .execute()

export async function findOpenPaymentOrgAcrossOrgs(tx: Tx, paymentId: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('payments')
    .select('org_id as orgId')
    // Written as in the partial index.
    .where(sql<boolean>`is_open`)
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
  return row?.orgId
}

/** Fails the batch when the outflow since then, the payment or refund written before it included, reaches the limit. */
export const assertOutflowBelow = (orgId: string, since: Date, limit: DailyLimit): CompiledQuery =>
  sql`select ${sql.ref(limit.policy.kind === 'refund' ? 'assert_refunds_below' : 'assert_outflow_below')}(${orgId}::uuid, ${since}, ${limit.limitMinor.toString()}::numeric,
    ${[...limit.weights.keys()]}::text[], ${[...limit.weights.values()]}::numeric[])`.compile(statements)

/** What an approval may change about a payment. Always written together with the status, which is fenced. */
export const amendPayment = (orgId: string, payment: Payment): CompiledQuery =>
  statements
    .updateTable('payments')
    .set({
      amount_minor: payment.source.amountMinor.toString(),
      target_amount_minor: payment.target.amountMinor.toString(),
      org_rate_id: payment.orgRateId,
      routing: JSON.stringify(payment.routing),
    })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', payment.paymentId)
    .compile()

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

const selectOneTo = (tx: Tx, orgId: string, beneficiaryId: string) =>
  tx.db
    .selectFrom('payments')
    .select('payment_id as paymentId')
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', beneficiaryId)
    .limit(1)

export const findPaymentSentTo = (tx: Tx, orgId: string, beneficiaryId: string) =>
  selectOneTo(tx, orgId, beneficiaryId)
    .where('direction', '<>', 'inbound')
    .where('status', 'not in', ['failed', 'rejected', 'canceled'])
    .executeTakeFirst()

/** The statuses are those of the partial index. */
export const findOpenPaymentTo = (tx: Tx, orgId: string, beneficiaryId: string) =>
  selectOneTo(tx, orgId, beneficiaryId)
    .where('status', 'in', ['initiated', 'reviewed', 'confirmed', 'processing', 'pending'])
    .executeTakeFirst()

/** Payins since the given time, with their sealed details, in the order of their ids. */
export async function selectRecentDetailsAcrossOrgs(
  tx: Tx,
  page: { since: Date; after: { orgId: string; id: string } | undefined; limit: number },
): Promise<
  Pick<Payment, 'orgId' | 'paymentId' | 'beneficiaryId' | 'country' | 'direction' | 'privateSealed'>[]
> {
  const { orgId = null, id = null } = page.after ?? {}
  const { rows } = await sql<
    Pick<Payment, 'orgId' | 'paymentId' | 'beneficiaryId' | 'country' | 'direction' | 'privateSealed'>
  >`
    select org_id as "orgId", payment_id as "paymentId", beneficiary_id as "beneficiaryId", country, direction,
      private_sealed as "privateSealed"
    from payments where direction <> 'outbound' and created_at >= ${page.since}
      and (${id}::uuid is null or (org_id, payment_id) > (${orgId}::uuid, ${id}::uuid))
    order by org_id, payment_id limit ${page.limit}`.execute(tx.db)
  return rows
}
