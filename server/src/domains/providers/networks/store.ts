import type { Tx } from '../../../kernel/db/database.ts'
import type { NetworkRow } from './record.ts'

const columns = [
  'provider',
  'country',
  'code',
  'brand',
  'name',
  'currency',
  'directions',
  'min_amount as minAmount',
  'max_amount as maxAmount',
  'status',
] as const

/** Networks belong to providers, not to organisations. */
export const selectNetworksAcrossOrgs = (
  tx: Tx,
  filter: { country: string; providers: readonly string[]; freshSince: Date },
): Promise<NetworkRow[]> =>
  tx.db
    .selectFrom('networks')
    .select(columns)
    .where('country', '=', filter.country)
    .where('provider', 'in', filter.providers)
    .where('refreshed_at', '>=', filter.freshSince)
    .orderBy('provider')
    .orderBy('code')
    .execute()

export async function replaceNetworksAcrossOrgs(
  tx: Tx,
  key: { provider: string; country: string },
  rows: readonly NetworkRow[],
): Promise<void> {
  await tx.db
    .deleteFrom('networks')
    .where('provider', '=', key.provider)
    .where('country', '=', key.country)
    .execute()
  if (rows.length === 0) return
  await tx.db
    .insertInto('networks')
    .values(
      rows.map(({ minAmount, maxAmount, ...row }) => ({
        ...row,
        min_amount: minAmount,
        max_amount: maxAmount,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
