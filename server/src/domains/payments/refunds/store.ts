import type { Custody } from '../../../kernel/ledger/available.ts'
import type { CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { assertWritten } from '../../../kernel/db/errors.ts'
import { stampNow } from '../../../kernel/db/money-clock.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { Refund, RefundFilters, RefundOrigin, RefundReview, RefundState } from './record.ts'

export const insertRefund = (orgId: string, refund: Refund): CompiledQuery =>
  statements
    .insertInto('refunds')
    .values({
      org_id: orgId,
      refund_id: refund.refundId,
      payment_id: refund.paymentId,
      amount_minor: refund.amountMinor.toString(),
      currency: refund.currency,
      origin: refund.origin,
      debit_minor: refund.debitMinor.toString(),
      debit_currency: refund.debitCurrency,
      market_rate: refund.marketRate,
      difference_minor: refund.differenceMinor.toString(),
      excess_minor: refund.excessMinor.toString(),
      provider_ref: refund.providerRef,
      reason: refund.reason,
      state: refund.state,
      approval_reason: refund.approvalReason,
      reference: refund.reference,
      provider: refund.provider,
      account_id: refund.accountId,
      custody: refund.custody,
      user_id: refund.userId,
      version: refund.version,
      begun_at: stampNow(),
      created_at: stampNow(),
      updated_at: stampNow(),
    })
    .compile()

/** Fenced by the version. */
export const updateRefund = (orgId: string, seenVersion: number, refund: Refund): CompiledQuery =>
  statements
    .with('written', (db) =>
      db
        .updateTable('refunds')
        .set({
          state: refund.state,
          debit_minor: refund.debitMinor.toString(),
          market_rate: refund.marketRate,
          difference_minor: refund.differenceMinor.toString(),
          excess_minor: refund.excessMinor.toString(),
          provider_ref: refund.providerRef,
          failure_code: refund.failureCode,
          failure_message: refund.failureMessage,
          version: refund.version,
          updated_at: refund.updatedAt,
        })
        .where('org_id', '=', orgId)
        .where('refund_id', '=', refund.refundId)
        .where('version', '=', seenVersion)
        .returning('refund_id'),
    )
    .selectFrom('written')
    .select(assertWritten('staleVersion').as('fence'))
    .compile()

/** The refund is sent from now on. Written in the transaction of a fenced update. */
export const stampBegun = (orgId: string, refundId: string): CompiledQuery =>
  statements
    .updateTable('refunds')
    .set({ begun_at: stampNow() })
    .where('org_id', '=', orgId)
    .where('refund_id', '=', refundId)
    .compile()

/** Written in the transaction of a fenced update. */
export const setNotFound = (
  orgId: string,
  refundId: string,
  { count, at }: { count: number; at: Date | null },
): CompiledQuery =>
  statements
    .updateTable('refunds')
    .set({ not_found_count: count, not_found_at: at })
    .where('org_id', '=', orgId)
    .where('refund_id', '=', refundId)
    .compile()

const columns = [
  'org_id as orgId',
  'refund_id as refundId',
  'payment_id as paymentId',
  'amount_minor',
  'currency',
  'origin',
  'debit_minor',
  'debit_currency as debitCurrency',
  'market_rate as marketRate',
  'difference_minor',
  'excess_minor',
  'reason',
  'state',
  'approval_reason as approvalReason',
  'reference',
  'provider',
  'account_id as accountId',
  'provider_ref as providerRef',
  'custody',
  'failure_code as failureCode',
  'failure_message as failureMessage',
  'user_id as userId',
  'not_found_count as notFoundCount',
  'not_found_at as notFoundAt',
  'version',
  'begun_at as begunAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

type Row = Omit<
  Refund,
  'amountMinor' | 'debitMinor' | 'differenceMinor' | 'excessMinor' | 'origin' | 'state' | 'custody'
> & {
  amount_minor: string
  debit_minor: string
  difference_minor: string
  excess_minor: string
  origin: string
  state: string
  custody: string
}

const toRefund = ({
  amount_minor,
  debit_minor,
  difference_minor,
  excess_minor,
  origin,
  state,
  custody,
  ...row
}: Row): Refund => ({
  ...row,
  amountMinor: BigInt(amount_minor),
  debitMinor: BigInt(debit_minor),
  differenceMinor: BigInt(difference_minor),
  excessMinor: BigInt(excess_minor),
  origin: origin as RefundOrigin, // check constraint
  state: state as RefundState, // the table's check constraint is this list
  custody: custody as Custody, // check constraint
})

export async function findRefund(tx: Tx, orgId: string, refundId: string): Promise<Refund | undefined> {
  const row = await tx.db
    .selectFrom('refunds')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('refund_id', '=', refundId)
    .executeTakeFirst()
  return row && toRefund(row)
}

export async function lockRefund(tx: Tx, orgId: string, refundId: string): Promise<Refund | undefined> {
  const row = await tx.db
    .selectFrom('refunds')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('refund_id', '=', refundId)
    .forUpdate()
    .executeTakeFirst()
  return row && toRefund(row)
}

/** Written in the transaction of a fenced update. */
export const setRefundResolution = (orgId: string, refundId: string, resolutionId: string): CompiledQuery =>
  statements
    .updateTable('refunds')
    .set({ resolution_id: resolutionId })
    .where('org_id', '=', orgId)
    .where('refund_id', '=', refundId)
    .compile()

export async function selectRefunds(tx: Tx, orgId: string, paymentId: string): Promise<Refund[]> {
  const rows = await tx.db
    .selectFrom('refunds')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .execute()
  return rows.map(toRefund)
}

/** Newest first. */
export async function selectRefundPage(
  tx: Tx,
  orgId: string,
  { filters, limit, before }: { filters: RefundFilters; limit: number; before: Position | undefined },
): Promise<Refund[]> {
  const { status, origin, provider, currency, paymentId, from, to } = filters
  const states = status === 'processing' ? ['sending', 'unknown', 'accepted'] : [status ?? '']
  const rows = await tx.db
    .selectFrom('refunds')
    .select(columns)
    .where('org_id', '=', orgId)
    .$if(status !== undefined, (query) => query.where('state', 'in', states))
    .$if(origin !== undefined, (query) => query.where('origin', '=', origin ?? ''))
    .$if(provider !== undefined, (query) => query.where('provider', '=', provider ?? ''))
    .$if(currency !== undefined, (query) => query.where('currency', '=', currency ?? ''))
    .$if(paymentId !== undefined, (query) => query.where('payment_id', '=', paymentId ?? ''))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (query) => query.where('created_at', '<', to ?? new Date(0)))
    .$if(before !== undefined, (query) =>
      before ? query.where(beforePosition('created_at', 'refund_id', before)) : query,
    )
    .orderBy('created_at', 'desc')
    .orderBy('refund_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRefund)
}

export const insertRefundReview = (
  orgId: string,
  review: { refundId: string; userId: string; decision: string; comments: string | null },
): CompiledQuery =>
  statements
    .insertInto('refund_reviews')
    .values({
      org_id: orgId,
      refund_id: review.refundId,
      user_id: review.userId,
      decision: review.decision,
      comments: review.comments,
    })
    .compile()

/** Of several refunds, by their ids; the oldest first. */
export async function selectRefundReviews(
  tx: Tx,
  orgId: string,
  refundIds: readonly string[],
): Promise<Map<string, RefundReview[]>> {
  if (refundIds.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('refund_reviews')
    .select(['refund_id', 'user_id as userId', 'decision', 'comments', 'created_at as createdAt'])
    .where('org_id', '=', orgId)
    .where('refund_id', 'in', refundIds)
    .orderBy('created_at')
    .execute()
  return Map.groupBy(
    rows.map((row) => ({ ...row, decision: row.decision as RefundReview['decision'] })), // check constraint
    ({ refund_id }) => refund_id,
  )
}

export async function findRefundByReferenceAcrossOrgs(
  tx: Tx,
  reference: string,
): Promise<Refund | undefined> {
  const row = await tx.db
    .selectFrom('refunds')
    .select(columns)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row && toRefund(row)
}

/** Providers identify their refunds by their own id, at the account that carries the payment. */
export async function findRefundByProviderRefAcrossOrgs(
  tx: Tx,
  accountId: string,
  providerRef: string,
): Promise<Refund | undefined> {
  const row = await tx.db
    .selectFrom('refunds')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('provider_ref', '=', providerRef)
    .executeTakeFirst()
  return row && toRefund(row)
}

export const selectOpenRefundsAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('refunds')
    .select(['org_id as orgId', 'refund_id as refundId'])
    .where('state', 'in', ['sending', 'unknown', 'accepted'])
    .$if(after !== undefined, (query) => query.where('refund_id', '>', after ?? ''))
    .orderBy('refund_id')
    .limit(limit)
    .execute()
