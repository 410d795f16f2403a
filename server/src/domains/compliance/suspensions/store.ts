import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { SuspendedSubject, Suspension, SuspensionKind } from './record.ts'

const columns = [
  'org_id as orgId',
  'suspension_id as suspensionId',
  'kind',
  'subject_id as subjectId',
  'user_id as userId',
  'reason',
  'suspended_by as suspendedBy',
  'suspended_at as suspendedAt',
  'lift_reason as liftReason',
  'lifted_by as liftedBy',
  'lifted_at as liftedAt',
] as const

const toSuspension = (row: Omit<Suspension, 'kind'> & { kind: string }): Suspension => ({
  ...row,
  kind: row.kind as SuspensionKind, // check constraint
})

/** Operators who suspend each other at the same moment take turns, so that one of them remains. */
export async function lockSuspendingAcrossOrgs(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('suspending', 0))`.execute(tx.db)
}

/**
 * Waits for every transaction that began to send something before the suspension was committed: after it, none that did
 * not see the suspension can commit. The shared lock is taken by assert_not_suspended.
 */
export async function awaitSendersAcrossOrgs(tx: Tx, timeoutMs: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${timeoutMs}ms`}, true)`.execute(tx.db)
  await sql`select pg_advisory_xact_lock(hashtextextended('suspensions', 0))`.execute(tx.db)
}

/** Undefined when the subject is suspended already. */
export async function insertSuspensionAcrossOrgs(
  tx: Tx,
  suspension: Omit<Suspension, 'liftReason' | 'liftedBy' | 'liftedAt'>,
): Promise<Suspension | undefined> {
  const row = await tx.db
    .insertInto('suspensions')
    .values({
      org_id: suspension.orgId,
      suspension_id: suspension.suspensionId,
      kind: suspension.kind,
      subject_id: suspension.subjectId,
      user_id: suspension.userId,
      reason: suspension.reason,
      suspended_by: suspension.suspendedBy,
      suspended_at: suspension.suspendedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'kind', 'subject_id']).where('lifted_at', 'is', null).doNothing(),
    )
    .returning(columns)
    .executeTakeFirst()
  return row && toSuspension(row)
}

export async function findInForceAcrossOrgs(
  tx: Tx,
  { orgId, kind, subjectId }: SuspendedSubject,
): Promise<Suspension | undefined> {
  const row = await tx.db
    .selectFrom('suspensions')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return row && toSuspension(row)
}

/** The members that are suspended, of every organisation. */
export async function selectSuspendedMembersAcrossOrgs(
  tx: Tx,
): Promise<{ orgId: string; userId: string | null }[]> {
  return tx.db
    .selectFrom('suspensions')
    .select(['org_id as orgId', 'user_id as userId'])
    .where('kind', '=', 'member')
    .where('lifted_at', 'is', null)
    .execute()
}

export async function findSuspensionAcrossOrgs(
  tx: Tx,
  suspensionId: string,
): Promise<Suspension | undefined> {
  const row = await tx.db
    .selectFrom('suspensions')
    .select(columns)
    .where('suspension_id', '=', suspensionId)
    .executeTakeFirst()
  return row && toSuspension(row)
}

export async function findSuspension(
  tx: Tx,
  orgId: string,
  suspensionId: string,
): Promise<Suspension | undefined> {
  const row = await tx.db
    .selectFrom('suspensions')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('suspension_id', '=', suspensionId)
    .executeTakeFirst()
  return row && toSuspension(row)
}

/** Undefined when it was lifted already. */
export async function updateLifted(
  tx: Tx,
  orgId: string,
  lifted: { suspensionId: string; reason: string; by: string; at: Date },
): Promise<Suspension | undefined> {
  const row = await tx.db
    .updateTable('suspensions')
    .set({ lift_reason: lifted.reason, lifted_by: lifted.by, lifted_at: lifted.at })
    .where('org_id', '=', orgId)
    .where('suspension_id', '=', lifted.suspensionId)
    .where('lifted_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
  return row && toSuspension(row)
}

export interface SuspensionFilters {
  status: 'in_force' | 'lifted' | undefined
  kind: SuspensionKind | undefined
  orgId: string | undefined
}

export async function selectSuspensionsAcrossOrgs(
  tx: Tx,
  { status, kind, orgId, limit, before }: SuspensionFilters & { limit: number; before: Position | undefined },
): Promise<Suspension[]> {
  let query = tx.db.selectFrom('suspensions').select(columns)
  if (status !== undefined) query = query.where('lifted_at', status === 'lifted' ? 'is not' : 'is', null)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (orgId !== undefined) query = query.where('org_id', '=', orgId)
  if (before) query = query.where(beforePosition('suspended_at', 'suspension_id', before))
  const rows = await query
    .orderBy('suspended_at', 'desc')
    .orderBy('suspension_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toSuspension)
}

/** Whether the organisation, all payouts or the account is suspended, so that nothing is to be sent. */
export async function selectHeldBack(tx: Tx, orgId: string, accountId: string | null): Promise<boolean> {
  const { rows } = await sql<{ isHeldBack: boolean }>`
    select exists (select from suspensions where lifted_at is null
      and org_id in (${orgId}, '00000000-0000-0000-0000-000000000000')
      and (kind = 'payouts' or (kind = 'organization' and subject_id = ${orgId}::text)
        or (kind = 'provider_account' and subject_id = ${accountId}::text))
    ) as "isHeldBack"`.execute(tx.db)
  return rows[0]?.isHeldBack ?? false
}

export async function countInForceAcrossOrgs(tx: Tx): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::integer as count from suspensions where lifted_at is null group by kind`.execute(
    tx.db,
  )
  return rows
}
