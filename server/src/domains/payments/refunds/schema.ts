import { z } from 'zod'
import { parseMinor, wireAmount } from '../../../lib/money.ts'
import { validationError } from '../../../lib/errors.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/wire.ts'
import type { Refund } from './record.ts'

export const paymentParams = z.object({ payment_id: uuid })

export const refundBody = z.object({
  amount: z.number().positive().optional(),
  reason: z.string().trim().min(1).max(500),
})

const refund = z
  .object({
    refund_id: uuid,
    payment_id: uuid,
    amount: wireDecimal,
    currency: z.string(),
    reason: z.string(),
    status: z.enum(['processing', 'completed', 'failed']),
    provider: z.string(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Refund' })

export const refundResponse = success(refund)
export const refundList = success(z.array(refund)).extend({ count: z.int() })

/** In the currency that the payment collected, which the body does not repeat. */
export function refundAmount(amount: number | undefined, currency: string): bigint | undefined {
  if (amount === undefined) return undefined
  const minor = parseMinor(String(amount), currency)
  if (minor === undefined) throw validationError(`amount: has more decimals than ${currency} has.`)
  return minor
}

export const toRefund = (row: Refund): z.input<typeof refund> => ({
  refund_id: row.refundId,
  payment_id: row.paymentId,
  amount: wireAmount(row.amountMinor, row.currency),
  currency: row.currency,
  reason: row.reason,
  status: row.state === 'completed' || row.state === 'failed' ? row.state : 'processing',
  provider: row.provider,
  failure: row.failureCode === null ? null : { code: row.failureCode, message: row.failureMessage ?? '' },
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toRefundList = (rows: readonly Refund[]): z.input<typeof refundList> => ({
  ...ok('Refunds of the payment, oldest first.', rows.map(toRefund)),
  count: rows.length,
})
