import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { ApprovalPolicy } from './record.ts'

export async function selectPolicies(tx: Tx, orgId: string): Promise<ApprovalPolicy[]> {
  const rows = await tx.db
    .selectFrom('approval_policies')
    .select(['currency', 'payout_from_minor', 'daily_from_minor'])
    .select(['refund_from_minor', 'refund_daily_from_minor'])
    .where('org_id', '=', orgId)
    .orderBy('currency')
    .execute()
  return rows.map((row) => ({
    currency: row.currency,
    payoutFromMinor: BigInt(row.payout_from_minor),
    dailyFromMinor: toMinor(row.daily_from_minor),
    refundFromMinor: toMinor(row.refund_from_minor),
    refundDailyFromMinor: toMinor(row.refund_daily_from_minor),
  }))
}

const toMinor = (column: string | null): bigint | null => (column === null ? null : BigInt(column))

/** Also when there is no row to lock. */
export async function lockPolicies(tx: Tx, orgId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${orgId}::text || ' approval policies', 0))`.execute(
    tx.db,
  )
}

export async function replacePolicies(
  tx: Tx,
  orgId: string,
  policies: readonly ApprovalPolicy[],
): Promise<void> {
  await tx.db.deleteFrom('approval_policies').where('org_id', '=', orgId).execute()
  if (policies.length === 0) return
  await tx.db
    .insertInto('approval_policies')
    .values(
      policies.map((policy) => ({
        org_id: orgId,
        currency: policy.currency,
        payout_from_minor: policy.payoutFromMinor.toString(),
        daily_from_minor: policy.dailyFromMinor?.toString() ?? null,
        refund_from_minor: policy.refundFromMinor?.toString() ?? null,
        refund_daily_from_minor: policy.refundDailyFromMinor?.toString() ?? null,
        updated_at: sql`now()`,
      })),
    )
    .execute()
}
