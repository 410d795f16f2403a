import type { PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { FeeDirection, FeeSchedule } from './record.ts'

const selectAll = (tx: Tx, orgId: string) =>
  tx.db.selectFrom('fee_schedules').selectAll().where('org_id', 'in', [orgId, installationOrgId])

type ScheduleRow = Awaited<ReturnType<ReturnType<typeof selectAll>['executeTakeFirstOrThrow']>>

const toFeeSchedule = (row: ScheduleRow): FeeSchedule => ({
  orgId: row.org_id === installationOrgId ? null : row.org_id,
  scheduleId: row.schedule_id,
  label: row.label,
  direction: row.direction as FeeDirection | null, // check constraint
  method: row.payment_method as PaymentMethod | null, // written by insertScheduleAcrossOrgs
  country: row.country,
  currency: row.currency,
  rateMillionths: row.rate_millionths,
  fixedMinor: BigInt(row.fixed_minor),
  minimumMinor: BigInt(row.minimum_minor),
  maximumMinor: row.maximum_minor === null ? null : BigInt(row.maximum_minor),
  isReturned: row.is_returned,
  createdAt: row.created_at,
  retiredAt: row.retired_at,
})

export async function selectActiveSchedules(tx: Tx, orgId: string): Promise<FeeSchedule[]> {
  const rows = await selectAll(tx, orgId).where('retired_at', 'is', null).execute()
  return rows.map(toFeeSchedule)
}

export async function selectSchedules(tx: Tx, orgId: string): Promise<FeeSchedule[]> {
  const rows = await selectAll(tx, orgId).orderBy('created_at', 'desc').orderBy('schedule_id').execute()
  return rows.map(toFeeSchedule)
}

/** Only the operator's role may write schedules, hence the transaction across organisations. */
export async function insertScheduleAcrossOrgs(tx: Tx, orgId: string, schedule: FeeSchedule): Promise<void> {
  await tx.db
    .insertInto('fee_schedules')
    .values({
      org_id: orgId,
      schedule_id: schedule.scheduleId,
      label: schedule.label,
      direction: schedule.direction,
      payment_method: schedule.method,
      country: schedule.country,
      currency: schedule.currency,
      rate_millionths: schedule.rateMillionths,
      fixed_minor: schedule.fixedMinor.toString(),
      minimum_minor: schedule.minimumMinor.toString(),
      maximum_minor: schedule.maximumMinor?.toString() ?? null,
      is_returned: schedule.isReturned,
      created_at: schedule.createdAt,
    })
    .execute()
}

export async function findActiveAcrossOrgs(tx: Tx, scheduleId: string): Promise<FeeSchedule | undefined> {
  const row = await tx.db
    .selectFrom('fee_schedules')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row && toFeeSchedule(row)
}

export async function retireScheduleAcrossOrgs(
  tx: Tx,
  scheduleId: string,
  now: Date,
): Promise<FeeSchedule | undefined> {
  const row = await tx.db
    .updateTable('fee_schedules')
    .set({ retired_at: now })
    .where('schedule_id', '=', scheduleId)
    .where('retired_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row && toFeeSchedule(row)
}
