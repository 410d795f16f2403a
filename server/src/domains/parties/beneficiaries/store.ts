import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { assertWritten } from '../../../kernel/db/errors.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { BeneficiaryAccount, BeneficiaryRow } from './record.ts'

const columns = [
  'org_id as orgId',
  'beneficiary_id as beneficiaryId',
  'beneficiary_of as beneficiaryOf',
  'account_type as accountType',
  'beneficiary_type as beneficiaryType',
  'country',
  'currency',
  'details_sealed as detailsSealed',
  'external_account_id as externalAccountId',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export const insertBeneficiary = (
  tx: Tx,
  orgId: string,
  row: Omit<BeneficiaryRow, 'orgId' | 'createdAt' | 'updatedAt'>,
): Promise<BeneficiaryRow> =>
  tx.db
    .insertInto('beneficiaries')
    .values({
      org_id: orgId,
      beneficiary_id: row.beneficiaryId,
      beneficiary_of: row.beneficiaryOf,
      account_type: row.accountType,
      beneficiary_type: row.beneficiaryType,
      country: row.country,
      currency: row.currency,
      details_sealed: row.detailsSealed,
      external_account_id: row.externalAccountId,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findBeneficiary = (
  tx: Tx,
  orgId: string,
  beneficiaryId: string,
): Promise<BeneficiaryRow | undefined> =>
  tx.db
    .selectFrom('beneficiaries')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', beneficiaryId)
    .executeTakeFirst()

export function selectBeneficiaries(
  tx: Tx,
  orgId: string,
  page: { userId: string | undefined; limit: number; before: Position | undefined },
): Promise<BeneficiaryRow[]> {
  let query = tx.db.selectFrom('beneficiaries').select(columns).where('org_id', '=', orgId)
  if (page.userId !== undefined) query = query.where('beneficiary_of', '=', page.userId)
  if (page.before) query = query.where(beforePosition('created_at', 'beneficiary_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('beneficiary_id', 'desc').limit(page.limit).execute()
}

export const selectAccounts = (
  tx: Tx,
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<BeneficiaryAccount[]> =>
  tx.db
    .selectFrom('beneficiaries')
    .select([
      'beneficiary_id as beneficiaryId',
      'account_type as accountType',
      'country',
      'currency',
      'updated_at as updatedAt',
    ])
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', sql<string>`any(${[...beneficiaryIds]}::uuid[])`)
    .execute()

export const lockBeneficiary = (
  tx: Tx,
  orgId: string,
  beneficiaryId: string,
): Promise<BeneficiaryRow | undefined> =>
  tx.db
    .selectFrom('beneficiaries')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', beneficiaryId)
    .forUpdate()
    .executeTakeFirst()

export const updateBeneficiaryRow = (tx: Tx, orgId: string, row: BeneficiaryRow): Promise<BeneficiaryRow> =>
  tx.db
    .updateTable('beneficiaries')
    .set({
      account_type: row.accountType,
      beneficiary_type: row.beneficiaryType,
      country: row.country,
      currency: row.currency,
      details_sealed: row.detailsSealed,
      external_account_id: row.externalAccountId,
      updated_at: row.updatedAt,
    })
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', row.beneficiaryId)
    .returning(columns)
    .executeTakeFirstOrThrow()

export async function deleteBeneficiaryRow(tx: Tx, orgId: string, beneficiaryId: string): Promise<void> {
  await tx.db
    .deleteFrom('beneficiaries')
    .where('org_id', '=', orgId)
    .where('beneficiary_id', '=', beneficiaryId)
    .execute()
}

/** Fails the transaction if the beneficiary was deleted, and blocks its deletion until the commit. */
export const shareBeneficiary = (orgId: string, beneficiaryId: string): CompiledQuery =>
  statements
    .with('kept', (db) =>
      db
        .selectFrom('beneficiaries')
        .select('beneficiary_id')
        .where('org_id', '=', orgId)
        .where('beneficiary_id', '=', beneficiaryId)
        .forKeyShare(),
    )
    .selectFrom('kept')
    .select(assertWritten('beneficiaryGone').as('fence'))
    .compile()

export async function selectEveryBeneficiaryAcrossOrgs(
  tx: Tx,
  { after, limit }: { after: { orgId: string; id: string } | undefined; limit: number },
): Promise<BeneficiaryRow[]> {
  let query = tx.db.selectFrom('beneficiaries').select(columns)
  if (after)
    query = query.where(sql<boolean>`(org_id, beneficiary_id) > (${after.orgId}::uuid, ${after.id}::uuid)`)
  return query.orderBy('org_id').orderBy('beneficiary_id').limit(limit).execute()
}

export async function selectExisting(
  tx: Tx,
  orgId: string,
  beneficiaryIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select beneficiary_id as id from beneficiaries
    where org_id = ${orgId} and beneficiary_id = any(${[...beneficiaryIds]}::uuid[])`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** Counts one more in the window of a day that the first one began. */
export async function countNameCheck(tx: Tx, orgId: string): Promise<{ checks: number; endsInMs: number }> {
  const isOver = sql`name_check_budgets.window_started_at <= money_clock() - interval '1 day'`
  const { rows } = await sql<{ checks: number; endsInMs: number }>`
    insert into name_check_budgets (org_id, window_started_at, checks) values (${orgId}, money_clock(), 1)
    on conflict (org_id) do update set
      checks = case when ${isOver} then 1 else name_check_budgets.checks + 1 end,
      window_started_at = case when ${isOver} then excluded.window_started_at else name_check_budgets.window_started_at end
    returning checks, (extract(epoch from window_started_at + interval '1 day' - money_clock()) * 1000)::float8 as "endsInMs"`.execute(
    tx.db,
  )
  const [counted] = rows
  if (!counted) throw new Error('a name check was not counted')
  return counted
}
