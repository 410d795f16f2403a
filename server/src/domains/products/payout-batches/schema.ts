import type { Readable } from 'node:stream'
import { z } from 'zod'
import { InexactNumber } from '../../../lib/text/json.ts'
import { isFiat, wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import { statuses } from '../../payments/lifecycle/rules.ts'
import type { Batch, BatchTotal, CheckedRows, RowResult } from './record.ts'
import { batchStatuses, rowsLimit, rowStates, type Progress } from './rules.ts'

/** About 420 bytes a row. */
export const bodyBytesLimit = 4 * 1024 * 1024

export const batchParams = z.object({ batch_id: uuid })
const flag = z.enum(['true', 'false']).default('false')
export const createQuery = z.object({
  dry_run: flag,
  allow_duplicate: flag.meta({ description: 'As in the body, for CSV.' }),
})

const documented = (type: string, description: string, example: unknown) =>
  z.unknown().optional().meta({ type, description, example })

/** Only the shape of the list: the rows are checked one by one, so that every error of every row is reported. */
export const createBody = z.object({
  description: z.string().trim().min(1).max(500).nullish(),
  allow_duplicate: z
    .boolean()
    .default(false)
    .meta({ description: 'Stores the batch although one of the last 24 hours has the same rows.' }),
  rows: z
    .array(
      z
        .looseObject({
          client_reference: documented('string', 'Your own reference, unique in the batch.', 'salary-0001'),
          beneficiary_id: documented('string', 'Who is paid.', '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'),
          amount: documented('number', 'In the currency of the beneficiary.', 1500.25),
          currency: documented('string', 'The currency of the beneficiary.', 'NGN'),
          description: documented('string', 'What the recipient sees.', 'March'),
        })
        .meta({ required: ['client_reference', 'beneficiary_id', 'amount', 'currency'] }),
    )
    .min(1)
    .max(rowsLimit),
})

/** Checking so many rows takes as long as an ordinary request. */
const rowsPerRequest = 10

export function costOf(body: unknown): number {
  const rows = typeof body === 'object' && body !== null && 'rows' in body ? body.rows : undefined
  return Math.ceil((Array.isArray(rows) ? Math.min(rows.length, rowsLimit) : 0) / rowsPerRequest)
}

const amountLimit = 1e15
const text = (limit: number) => z.string().trim().min(1, 'is required').max(limit)

function digitsOf(value: unknown): string {
  if (value instanceof InexactNumber) return value.source
  return typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
}

/** The digits of a positive decimal number; undefined for anything else. */
export function readAmount(value: unknown): string | undefined {
  const digits = digitsOf(value)
  const isPlain = /^\d{1,15}(?:\.\d{1,18})?$/.test(digits)
  return isPlain && Number(digits) > 0 && Number(digits) < amountLimit ? digits : undefined
}

/** JSON has numbers and CSV has text, so both are read digit by digit. */
const amountDigits = z.unknown().transform((value, context): string => {
  const digits = readAmount(value)
  if (digits !== undefined) return digits
  context.addIssue({ code: 'custom', message: 'must be a positive decimal number' })
  return z.NEVER
})

/** One row, from JSON or from CSV, as far as its fields can be checked one by one. */
export const batchRow = z.strictObject({
  client_reference: text(255),
  beneficiary_id: uuid,
  amount: amountDigits,
  currency: z.string().refine(isFiat, 'must be a known ISO 4217 currency').meta({ example: 'NGN' }),
  description: text(500).nullish(),
})

const storedTotal = z.object({
  currency: z.string(),
  rows: z.int(),
  amount_minor: z.string(),
  fee_minor: z.string(),
})
export type StoredTotal = z.infer<typeof storedTotal>
export const totalsColumn = z.array(storedTotal)

const total = z.object({
  currency: z.string(),
  rows: z.int(),
  amount: wireDecimal,
  fees: wireDecimal.meta({ description: 'By the fee schedules of the moment.' }),
})

export const toTotal = ({ currency, rows, amountMinor, feeMinor }: BatchTotal): z.input<typeof total> => ({
  currency,
  rows,
  amount: wireAmount(amountMinor, currency),
  fees: wireAmount(feeMinor, currency),
})

export const dryRunResponse = success(
  z.object({
    is_valid: z.boolean(),
    needs_approval: z.boolean(),
    duplicate_of: uuid
      .nullable()
      .meta({ description: 'A batch of the last 24 hours that has the same rows.' }),
    row_count: z.int(),
    totals: z.array(total).meta({ description: 'Of the rows without an error.' }),
    error_count: z.int(),
    errors: z
      .array(z.object({ row: z.int(), field: z.string(), message: z.string() }))
      .meta({ description: 'The first 100 of them.' }),
  }),
)

export const toDryRun = (
  rowCount: number,
  { errors, errorCount, totals }: CheckedRows,
  { needsApproval, duplicateOf }: { needsApproval: boolean; duplicateOf: string | null },
): z.input<typeof dryRunResponse> =>
  ok(errorCount === 0 ? 'Every row can be paid. Nothing was stored.' : 'Some rows cannot be paid.', {
    is_valid: errorCount === 0,
    needs_approval: needsApproval,
    duplicate_of: duplicateOf,
    row_count: rowCount,
    totals: totals.map(toTotal),
    error_count: errorCount,
    errors,
  })

const batch = z
  .object({
    batch_id: uuid,
    org_id: uuid,
    status: z.enum(batchStatuses),
    description: z.string().nullable(),
    row_count: z.int(),
    totals: z.array(total),
    created_by: z.string(),
    reviewed_by: z
      .string()
      .nullable()
      .meta({ description: 'Who gave the first of the two approvals, if the batch needs them.' }),
    decided_by: z
      .string()
      .nullable()
      .meta({ description: 'Who gave the second approval, or rejected the batch.' }),
    comments: z.string().nullable(),
    pause: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'PayoutBatch' })

const progress = z.object({
  pending: z.int(),
  in_progress: z.int(),
  completed: z.int(),
  failed: z.int(),
  canceled: z.int(),
})

/** In the order of the schema, in which events are written. */
export const toProgress = (counts: Progress): z.input<typeof progress> => ({
  pending: counts.pending,
  in_progress: counts.inProgress,
  completed: counts.completed,
  failed: counts.failed,
  canceled: counts.canceled,
})

const toBatchFields = (of: Batch): z.input<typeof batch> => ({
  batch_id: of.batchId,
  org_id: of.orgId,
  status: of.status,
  description: of.description,
  row_count: of.rowCount,
  totals: of.totals.map(toTotal),
  created_by: of.createdBy,
  reviewed_by: of.reviewedBy,
  decided_by: of.decidedBy,
  comments: of.comments,
  pause: of.pause,
  created_at: of.createdAt.toISOString(),
  updated_at: of.updatedAt.toISOString(),
})

export const batchResponse = success(batch.extend({ progress }).meta({ id: 'PayoutBatchWithProgress' }))
export const toBatchResponse = (
  message: string,
  { batch: of, progress: counted }: { batch: Batch; progress: Progress },
): z.input<typeof batchResponse> => ok(message, { ...toBatchFields(of), progress: toProgress(counted) })

export const decisionBody = z.object({ comments: z.string().trim().min(1).max(2000).nullish() }).nullish()

const cursor = { limit: pageLimit, last_evaluated_key: z.string().max(1024).optional() }
const meta = z.object({ count: z.int(), last_evaluated_key: z.string().nullable() })
const metaOf = (page: Page<unknown>) => ({ count: page.items.length, last_evaluated_key: page.nextCursor })

export const listBatchesQuery = z.object({ status: z.enum(batchStatuses).optional(), ...cursor })
export const batchPage = success(z.array(batch)).extend({ meta })
export const toBatchPage = (page: Page<Batch>): z.input<typeof batchPage> => ({
  ...ok('Payout batches, newest first.', page.items.map(toBatchFields)),
  meta: metaOf(page),
})

export const listRowsQuery = z.object({ state: z.enum(rowStates).optional(), ...cursor })

const row = z
  .object({
    row: z.int(),
    client_reference: z.string(),
    beneficiary_id: uuid,
    amount: wireDecimal,
    currency: z.string(),
    country: z.string(),
    payment_method: z.string(),
    description: z.string().nullable(),
    state: z.enum(rowStates),
    payment_id: uuid.nullable(),
    payment_status: z.enum(statuses).nullable(),
    provider: z.string().nullable(),
    total_fees: wireDecimal.nullable(),
    failure_code: z.string().nullable(),
    failure_message: z.string().nullable(),
  })
  .meta({ id: 'PayoutBatchRow' })

/** A stream is sent as it is; the schema only documents it. */
export const resultsFile = z.custom<Readable>().meta({ type: 'string', description: 'CSV, a line per row.' })
export const rowColumns = Object.keys(row.shape)
export const rowPage = success(z.array(row)).extend({ meta })

export const toRow = ({ outcome, failure, ...of }: RowResult): z.input<typeof row> => ({
  row: of.rowNo,
  client_reference: of.clientReference,
  beneficiary_id: of.beneficiaryId,
  amount: wireAmount(of.amount.amountMinor, of.amount.currency),
  currency: of.amount.currency,
  country: of.country,
  payment_method: of.method,
  description: of.description,
  state: of.state,
  payment_id: outcome ? of.paymentId : null,
  payment_status: outcome?.status ?? null,
  provider: outcome?.provider ?? null,
  total_fees: outcome?.fee ? wireAmount(outcome.fee.amountMinor, outcome.fee.currency) : null,
  failure_code: failure?.code ?? outcome?.failureCode ?? null,
  failure_message: failure?.message ?? outcome?.failureMessage ?? null,
})

export const toRowPage = (page: Page<RowResult>): z.input<typeof rowPage> => ({
  ...ok('The rows of the batch, in order.', page.items.map(toRow)),
  meta: metaOf(page),
})
