import type { Custody } from '../../../ledger/available.ts'
import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../db/database.ts'
import { assertWritten } from '../../../db/errors.ts'
import type { Refund, RefundState } from './record.ts'

export const insertRefund = (orgId: string, refund: Refund): CompiledQuery =>
  statements
    .insertInto('refunds')
    .values({
      org_id: orgId,
      refund_id: refund.refundId,
      payment_id: refund.paymentId,
      amount_minor: refund.amountMinor.toString(),
      currency: refund.currency,
      reason: refund.reason,
      state: refund.state,
      reference: refund.reference,
      provider: refund.provider,
      is_held: refund.isHeld,
      account_id: refund.accountId,
      custody: refund.custody,
      user_id: refund.userId,
      version: refund.version,
      created_at: refund.createdAt,
      updated_at: refund.updatedAt,
    })
    .compile()

/** Fails the batch while the payment has an open dispute whose money the provider has withdrawn. */
export const assertUndisputed = (orgId: string, paymentId: string): CompiledQuery =>
  sql`select assert_undisputed(${orgId}::uuid, ${paymentId}::uuid)`.compile(statements)

/** Fenced by the version. */
export const updateRefund = (orgId: string, seenVersion: number, refund: Refund): CompiledQuery =>
  statements
    .with('written', (db) =>
      db
        .updateTable('refunds')
        .set({
          state: refund.state,
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
  'reason',
  'state',
  'reference',
  'provider',
  'account_id as accountId',
  'provider_ref as providerRef',
  'custody',
  'is_held as isHeld',
  'failure_code as failureCode',
  'failure_message as failureMessage',
  'user_id as userId',
  'not_found_count as notFoundCount',
  'not_found_at as notFoundAt',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const toRefund = ({
  amount_minor,
  state,
  custody,
  ...row
}: Omit<Refund, 'amountMinor' | 'state' | 'custody'> & {
  amount_minor: string
  state: string
  custody: string
}): Refund => ({
  ...row,
  amountMinor: BigInt(amount_minor),
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

export const selectOpenRefundsAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('refunds')
    .select(['org_id as orgId', 'refund_id as refundId'])
    .where('state', 'in', ['sending', 'unknown', 'accepted'])
    .$if(after !== undefined, (query) => query.where('refund_id', '>', after ?? ''))
    .orderBy('refund_id')
    .limit(limit)
    .execute()

export async function hasOpenRefundAtAcrossOrgs(tx: Tx, accountId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('refunds')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['sending', 'unknown', 'accepted'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
