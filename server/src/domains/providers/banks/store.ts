import type { Tx } from '../../../kernel/db/database.ts'
import type { BankRow } from './record.ts'

/** Banks belong to providers, not to organisations. */
export const selectBanksAcrossOrgs = (
  tx: Tx,
  filter: { country: string; providers: readonly string[]; freshSince: Date },
): Promise<BankRow[]> =>
  tx.db
    .selectFrom('banks')
    .select(['provider', 'country', 'code', 'name'])
    .where('country', '=', filter.country)
    .where('provider', 'in', filter.providers)
    .where('refreshed_at', '>=', filter.freshSince)
    .orderBy('name')
    .orderBy('code')
    .execute()

export async function replaceBanksAcrossOrgs(
  tx: Tx,
  key: { provider: string; country: string },
  rows: readonly BankRow[],
): Promise<void> {
  await tx.db
    .deleteFrom('banks')
    .where('provider', '=', key.provider)
    .where('country', '=', key.country)
    .execute()
  if (rows.length === 0) return
  await tx.db
    .insertInto('banks')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
