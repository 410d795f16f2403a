import type { CompiledQuery } from 'kysely'
import { statements } from '../../../kernel/db/database.ts'
import { noSums, type PayinSums } from './record.ts'

/** Written in the transaction that changes the payment, whose version is the fence. */
export const writeSums = (
  orgId: string,
  { paymentId, chargedMinor }: { paymentId: string; chargedMinor: bigint },
  { before, after }: { before: PayinSums; after: PayinSums },
): CompiledQuery =>
  before === noSums
    ? statements
        .insertInto('payin_sums')
        .values({
          org_id: orgId,
          payment_id: paymentId,
          charged_minor: chargedMinor.toString(),
          ...toColumns(after),
        })
        .compile()
    : statements
        .updateTable('payin_sums')
        .set(toColumns(after))
        .where('org_id', '=', orgId)
        .where('payment_id', '=', paymentId)
        .compile()

const toColumns = (sums: PayinSums) => ({
  refunding_minor: sums.refundingMinor.toString(),
  refunded_minor: sums.refundedMinor.toString(),
  reversed_minor: sums.reversedMinor.toString(),
  disputed_minor: sums.disputedMinor.toString(),
  withdrawn_minor: sums.withdrawnMinor.toString(),
  returned_minor: sums.returnedMinor.toString(),
  exception_id: sums.exceptionId,
})

export const sumsColumns = [
  'payin_sums.refunding_minor',
  'payin_sums.refunded_minor as sums_refunded_minor',
  'payin_sums.reversed_minor',
  'payin_sums.disputed_minor',
  'payin_sums.withdrawn_minor',
  'payin_sums.returned_minor',
  'payin_sums.exception_id',
] as const
