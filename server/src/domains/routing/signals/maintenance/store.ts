import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import type { MaintenanceWindow } from './record.ts'

const columns = [
  'org_id as orgId',
  'window_id as windowId',
  'account_id as accountId',
  'provider',
  'starts_at as startsAt',
  'ends_at as endsAt',
  'reason',
  'created_by as createdBy',
  'created_at as createdAt',
] as const

export const insertWindow = (
  tx: Tx,
  orgId: string,
  window: Omit<MaintenanceWindow, 'orgId' | 'createdAt'>,
): Promise<MaintenanceWindow> =>
  tx.db
    .insertInto('maintenance_windows')
    .values({
      org_id: orgId,
      window_id: window.windowId,
      account_id: window.accountId,
      provider: window.provider,
      starts_at: window.startsAt,
      ends_at: window.endsAt,
      reason: window.reason,
      created_by: window.createdBy,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Those of the organisation and of the installation that have not ended, the next one first. */
export const selectWindows = (
  tx: Tx,
  orgId: string,
  { endsAfter, limit }: { endsAfter: Date; limit: number },
): Promise<MaintenanceWindow[]> =>
  tx.db
    .selectFrom('maintenance_windows')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('ends_at', '>', endsAfter)
    .orderBy('starts_at')
    .orderBy('window_id')
    .limit(limit)
    .execute()

export async function countWindows(
  tx: Tx,
  orgId: string,
  { accountId, endsAfter }: { accountId: string; endsAfter: Date },
): Promise<number> {
  const { count } = await tx.db
    .selectFrom('maintenance_windows')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('ends_at', '>', endsAfter)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns undefined when there is none. */
export const deleteWindowRow = (
  tx: Tx,
  orgId: string,
  windowId: string,
): Promise<MaintenanceWindow | undefined> =>
  tx.db
    .deleteFrom('maintenance_windows')
    .where('org_id', '=', orgId)
    .where('window_id', '=', windowId)
    .returning(columns)
    .executeTakeFirst()

export const findWindow = (tx: Tx, orgId: string, windowId: string): Promise<MaintenanceWindow | undefined> =>
  tx.db
    .selectFrom('maintenance_windows')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('window_id', '=', windowId)
    .executeTakeFirst()

/** The windows of all organisations, for the memory of a process. */
export const ongoingWindowsAcrossOrgs = (now: Date): CompiledQuery =>
  sql`select account_id as "accountId", starts_at as "startsAt", ends_at as "endsAt"
      from maintenance_windows where ends_at > ${now}`.compile(statements)

export async function deleteEndedAcrossOrgs(tx: Tx, until: Date): Promise<void> {
  await tx.db.deleteFrom('maintenance_windows').where('ends_at', '<', until).execute()
}
