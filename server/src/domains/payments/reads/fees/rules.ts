import type { Fee } from '../../../pricing/fees/record.ts'

export const feeColumns = ['fee_schedule_id', 'fee_minor', 'fee_currency', 'fee_is_returned'] as const

export interface FeeColumns {
  fee_schedule_id: string | null
  fee_minor: string | null
  fee_currency: string | null
  fee_is_returned: boolean | null
}

export function feeOf(row: FeeColumns): Fee | null {
  const { fee_schedule_id: scheduleId, fee_minor: minor, fee_currency: currency } = row
  if (scheduleId === null || minor === null || currency === null) return null
  return { scheduleId, amountMinor: BigInt(minor), currency, isReturned: row.fee_is_returned === true }
}

export const toFeeColumns = (fee: Fee | null): FeeColumns => ({
  fee_schedule_id: fee?.scheduleId ?? null,
  fee_minor: fee?.amountMinor.toString() ?? null,
  fee_currency: fee?.currency ?? null,
  fee_is_returned: fee?.isReturned ?? null,
})
