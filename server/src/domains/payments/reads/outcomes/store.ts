import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { Status } from '../../lifecycle/rules.ts'
import type { PaymentOutcome } from './record.ts'

export async function selectOutcomes(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentOutcome>> {
  const rows = await tx.db
    .selectFrom('payments')
    .select([
      'payment_id',
      'status',
      'provider',
      'failure_code',
      'failure_message',
      'fee_minor',
      'fee_currency',
    ])
    .where('org_id', '=', orgId)
    .where('payment_id', '=', sql<string>`any(${[...paymentIds]}::uuid[])`)
    .execute()
  return new Map(
    rows.map((row) => [
      row.payment_id,
      {
        status: row.status as Status, // check constraint
        provider: row.provider,
        failureCode: row.failure_code,
        failureMessage: row.failure_message,
        fee:
          row.fee_minor === null || row.fee_currency === null
            ? null
            : { amountMinor: BigInt(row.fee_minor), currency: row.fee_currency },
      },
    ]),
  )
}

export async function countByStatus(
  tx: Tx,
  orgId: string,
  paymentIds: readonly string[],
): Promise<Map<Status, number>> {
  const { rows } = await sql<{ status: Status; count: number }>`
    select status, count(*)::integer as count from payments
    where org_id = ${orgId} and payment_id = any(${[...paymentIds]}::uuid[])
    group by status`.execute(tx.db)
  return new Map(rows.map(({ status, count }) => [status, count]))
}
