import { sql, type CompiledQuery } from 'kysely'
import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { assertWritten } from '../../../kernel/db/errors.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import { totalsColumn, type StoredTotal } from './schema.ts'
import type { Batch, BatchRow, NewRow } from './record.ts'
import type { BatchStatus, RowState } from './rules.ts'

const selectBatch = (tx: Tx, orgId: string) =>
  tx.db.selectFrom('payout_batches').selectAll().where('org_id', '=', orgId)

type StoredBatch = Awaited<ReturnType<ReturnType<typeof selectBatch>['executeTakeFirstOrThrow']>>

const toBatch = (row: StoredBatch): Batch => ({
  orgId: row.org_id,
  batchId: row.batch_id,
  fingerprint: row.fingerprint,
  status: row.status as BatchStatus, // check constraint
  description: row.description,
  rowCount: row.row_count,
  totals: totalsColumn.parse(row.totals).map(fromStored),
  orderedBy: row.ordered_by,
  createdBy: row.created_by,
  reviewedBy: row.reviewed_by,
  decidedBy: row.decided_by,
  comments: row.comments,
  pause:
    row.pause_code === null || row.pause_message === null
      ? null
      : { code: row.pause_code, message: row.pause_message },
  eventCount: row.event_count,
  sentAt: row.sent_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const fromStored = ({ currency, rows, amount_minor, fee_minor }: StoredTotal) => ({
  currency,
  rows,
  amountMinor: BigInt(amount_minor),
  feeMinor: BigInt(fee_minor),
})

export const insertBatch = (orgId: string, batch: Batch): CompiledQuery =>
  statements
    .insertInto('payout_batches')
    .values({
      org_id: orgId,
      batch_id: batch.batchId,
      fingerprint: batch.fingerprint,
      status: batch.status,
      description: batch.description,
      row_count: batch.rowCount,
      totals: JSON.stringify(
        batch.totals.map((total): StoredTotal => ({
          currency: total.currency,
          rows: total.rows,
          amount_minor: total.amountMinor.toString(),
          fee_minor: total.feeMinor.toString(),
        })),
      ),
      ordered_by: JSON.stringify(batch.orderedBy),
      created_by: batch.createdBy,
      created_at: batch.createdAt,
      updated_at: batch.updatedAt,
    })
    .compile()

/** One statement with one array per column, whatever the number of rows. */
export const insertRows = (orgId: string, batch: Batch, rows: readonly NewRow[]): CompiledQuery =>
  sql`
    insert into payout_batch_rows (org_id, batch_id, row_no, payment_id, client_reference, beneficiary_id,
      beneficiary_updated_at, country, payment_method, currency, amount_minor, description, updated_at)
    select ${orgId}::uuid, ${batch.batchId}::uuid, row.*, ${batch.updatedAt}::timestamptz
    from unnest(
      ${rows.map((row) => row.rowNo)}::integer[], ${rows.map((row) => row.paymentId)}::uuid[],
      ${rows.map((row) => row.clientReference)}::text[], ${rows.map((row) => row.beneficiaryId)}::uuid[],
      ${rows.map((row) => row.beneficiaryUpdatedAt)}::timestamptz[], ${rows.map((row) => row.country)}::text[],
      ${rows.map((row) => row.method)}::text[], ${rows.map((row) => row.amount.currency)}::text[],
      ${rows.map((row) => row.amount.amountMinor.toString())}::numeric[],
      ${rows.map((row) => row.description)}::text[]
    ) as row`.compile(statements)

/** One upload at a time with the same rows, so that the second one sees the first. */
export async function lockFingerprint(tx: Tx, orgId: string, fingerprint: Buffer): Promise<void> {
  const key = `${orgId} ${fingerprint.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx.db)
}

/** The newest batch with these rows; what was rejected or canceled may be uploaded again. */
export async function findDuplicateId(
  tx: Tx,
  orgId: string,
  { fingerprint, since }: { fingerprint: Buffer; since: Date },
): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('payout_batches')
    .select('batch_id')
    .where('org_id', '=', orgId)
    .where('fingerprint', '=', fingerprint)
    .where('created_at', '>', since)
    .where('status', 'not in', ['rejected', 'canceled'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.batch_id
}

export async function findBatch(tx: Tx, orgId: string, batchId: string): Promise<Batch | undefined> {
  const row = await selectBatch(tx, orgId).where('batch_id', '=', batchId).executeTakeFirst()
  return row && toBatch(row)
}

/** Every change of a batch begins here. It waits for the payments that are being started, which share the lock. */
export async function lockBatch(tx: Tx, orgId: string, batchId: string): Promise<Batch | undefined> {
  const row = await selectBatch(tx, orgId).where('batch_id', '=', batchId).forUpdate().executeTakeFirst()
  return row && toBatch(row)
}

/** The caller holds the batch's lock. */
export async function updateBatch(tx: Tx, orgId: string, batch: Batch): Promise<void> {
  await tx.db
    .updateTable('payout_batches')
    .set({
      status: batch.status,
      reviewed_by: batch.reviewedBy,
      decided_by: batch.decidedBy,
      comments: batch.comments,
      pause_code: batch.pause?.code ?? null,
      pause_message: batch.pause?.message ?? null,
      event_count: batch.eventCount,
      sent_at: batch.sentAt,
      updated_at: batch.updatedAt,
    })
    .where('org_id', '=', orgId)
    .where('batch_id', '=', batch.batchId)
    .execute()
}

export async function selectBatches(
  tx: Tx,
  orgId: string,
  page: { status: BatchStatus | undefined; limit: number; before: Position | undefined },
): Promise<Batch[]> {
  let query = selectBatch(tx, orgId)
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.before) query = query.where(beforePosition('created_at', 'batch_id', page.before))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('batch_id', 'desc')
    .limit(page.limit)
    .execute()
  return rows.map(toBatch)
}

export async function selectRows(
  tx: Tx,
  orgId: string,
  batchId: string,
  page: { state: RowState | undefined; after: number; limit: number },
): Promise<BatchRow[]> {
  let query = tx.db
    .selectFrom('payout_batch_rows')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('batch_id', '=', batchId)
    .where('row_no', '>', page.after)
  if (page.state !== undefined) query = query.where('state', '=', page.state)
  const rows = await query.orderBy('row_no').limit(page.limit).execute()
  return rows.map((row) => ({
    rowNo: row.row_no,
    paymentId: row.payment_id,
    clientReference: row.client_reference,
    beneficiaryId: row.beneficiary_id,
    beneficiaryUpdatedAt: row.beneficiary_updated_at,
    country: row.country,
    method: row.payment_method as PaymentMethod, // written by insertRows
    amount: { amountMinor: BigInt(row.amount_minor), currency: row.currency },
    description: row.description,
    state: row.state as RowState, // check constraint
    failure:
      row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
  }))
}

export async function countRows(tx: Tx, orgId: string, batchId: string): Promise<Map<RowState, number>> {
  const { rows } = await sql<{ state: RowState; count: number }>`
    select state, count(*)::integer as count from payout_batch_rows
    where org_id = ${orgId} and batch_id = ${batchId} group by state`.execute(tx.db)
  return new Map(rows.map(({ state, count }) => [state, count]))
}

export async function selectSentPaymentIds(tx: Tx, orgId: string, batchId: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('payout_batch_rows')
    .select('payment_id')
    .where('org_id', '=', orgId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'sent')
    .execute()
  return rows.map((row) => row.payment_id)
}

/** What the batches that may be sent have not sent yet, per currency. */
export async function selectUnsentSums(
  tx: Tx,
  orgId: string,
): Promise<{ currency: string; amountMinor: bigint }[]> {
  const { rows } = await sql<{ currency: string; amount: string }>`
    select r.currency, sum(r.amount_minor)::text as amount
    from payout_batch_rows r
    join payout_batches b on b.org_id = r.org_id and b.batch_id = r.batch_id
    where r.org_id = ${orgId} and r.state = 'pending' and b.status in ('approved', 'sending', 'paused')
    group by r.currency`.execute(tx.db)
  return rows.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) }))
}

/**
 * Runs in the transaction that starts the row's payment, and fails it unless the row is pending in a batch that is
 * being sent. The shared lock makes pausing and canceling exact: once they have committed, nothing more is started.
 */
export const beginRow = (
  orgId: string,
  batchId: string,
  row: { rowNo: number; paymentId: string; at: Date },
): CompiledQuery =>
  sql`
    with batch as (
      select batch_id from payout_batches
      where org_id = ${orgId} and batch_id = ${batchId} and status = 'sending' for share
    ), begun as (
      update payout_batch_rows r set state = 'sent', updated_at = ${row.at} from batch
      where r.org_id = ${orgId} and r.batch_id = batch.batch_id and r.row_no = ${row.rowNo}
        and r.payment_id = ${row.paymentId} and r.state = 'pending'
      returning r.row_no
    )
    select ${assertWritten('rowNotPending')} from begun`.compile(statements)

export const failRow = (
  orgId: string,
  batchId: string,
  row: { rowNo: number; failure: { code: string; message: string }; at: Date },
): CompiledQuery =>
  sql`
    update payout_batch_rows set state = 'failed', failure_code = ${row.failure.code},
      failure_message = ${row.failure.message}, updated_at = ${row.at}
    where org_id = ${orgId} and batch_id = ${batchId} and row_no = ${row.rowNo} and state = 'pending'`.compile(
    statements,
  )

/** The caller holds the batch's lock. */
export async function cancelPendingRows(tx: Tx, orgId: string, batchId: string, at: Date): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('payout_batch_rows')
    .set({ state: 'canceled', updated_at: at })
    .where('org_id', '=', orgId)
    .where('batch_id', '=', batchId)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const selectOpenBatchesAcrossOrgs = (tx: Tx, after: string | undefined, limit: number) =>
  tx.db
    .selectFrom('payout_batches')
    .select(['org_id as orgId', 'batch_id as batchId'])
    // Written as in the partial index.
    .where(sql<boolean>`status in ('approved', 'sending')`)
    .$if(after !== undefined, (query) => query.where('batch_id', '>', after ?? ''))
    .orderBy('batch_id')
    .limit(limit)
    .execute()
