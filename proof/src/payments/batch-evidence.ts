import type { PoolClient } from 'pg'

export type BatchRecord = { batchId: string; status: string; totals: StoredTotal[] }
type StoredTotal = { currency: string; rows: number; amount_minor: string }
export type BatchAmount = { currency: string; amountMinor: string }
export type BatchRowRecord = BatchAmount & {
  batchId: string
  rowNo: number
  paymentId: string
  state: string
}
/** A payment that says which row it pays. */
export type BatchPayment = BatchAmount & { paymentId: string; status: string; batchId: string; rowNo: number }

export type BatchRecords = { batches: BatchRecord[]; rows: BatchRowRecord[]; payments: BatchPayment[] }

export async function readBatches(client: PoolClient): Promise<BatchRecords> {
  const read = async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text)).rows
  return {
    batches: await read(`select batch_id as "batchId", status, totals from payout_batches`),
    rows: await read(`
      select batch_id as "batchId", row_no as "rowNo", payment_id as "paymentId", state, currency,
             amount_minor::text as "amountMinor"
      from payout_batch_rows`),
    payments: await read(`
      select payment_id as "paymentId", status, currency, amount_minor::text as "amountMinor",
             metadata ->> 'batch_id' as "batchId", (metadata ->> 'batch_row')::integer as "rowNo"
      from payments where metadata ? 'batch_id'`),
  }
}
