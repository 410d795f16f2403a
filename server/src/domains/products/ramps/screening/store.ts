import { sql } from 'kysely'
import type { Tx } from '../../../../kernel/db/database.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import { installationOrgId } from '../../../../kernel/db/vault.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import type { ScreenedAddress } from './record.ts'

const columns = ['org_id as orgId', 'address', 'verdict', 'reason', 'created_at as createdAt'] as const

export const upsertAddress = (
  tx: Tx,
  orgId: string,
  entry: { address: string; verdict: string; reason: string; userId: string },
): Promise<ScreenedAddress> =>
  tx.db
    .insertInto('screened_addresses')
    .values({
      org_id: orgId,
      address: entry.address,
      verdict: entry.verdict,
      reason: entry.reason,
      user_id: entry.userId,
    })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'address']).doUpdateSet({
        verdict: sql`excluded.verdict`,
        reason: sql`excluded.reason`,
        user_id: sql`excluded.user_id`,
      }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()

export const deleteAddress = (tx: Tx, orgId: string, address: string): Promise<ScreenedAddress | undefined> =>
  tx.db
    .deleteFrom('screened_addresses')
    .where('org_id', '=', orgId)
    .where('address', '=', address)
    .returning(columns)
    .executeTakeFirst()

/** The entries of the organisation's list and of the installation's. */
export const selectVerdicts = (
  tx: Tx,
  orgId: string,
  address: string,
): Promise<{ orgId: string; verdict: string }[]> =>
  tx.db
    .selectFrom('screened_addresses')
    .select(['org_id as orgId', 'verdict'])
    .where('org_id', 'in', [orgId, installationOrgId])
    .where('address', '=', address)
    .execute()

export function selectAddresses(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<ScreenedAddress[]> {
  let query = tx.db
    .selectFrom('screened_addresses')
    .select(columns)
    .where('org_id', 'in', [orgId, installationOrgId])
  if (page.before) query = query.where(beforePosition('created_at', 'address', page.before))
  return query.orderBy('created_at', 'desc').orderBy('address', 'desc').limit(page.limit).execute()
}
