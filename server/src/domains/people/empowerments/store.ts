import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { newId } from '../../../lib/ids.ts'
import type { Empowerment } from './record.ts'

export async function insertEmpowerment(tx: Tx, orgId: string, empowerment: Empowerment): Promise<void> {
  await tx.db
    .insertInto('empowerments')
    .values({
      org_id: orgId,
      empowerment_id: newId(),
      user_id: empowerment.userId,
      empowered_by: empowerment.empoweredBy,
      is_by_operator: empowerment.isByOperator,
    })
    .execute()
}

/** Those of the last days that nobody unrelated has confirmed. */
export const selectEmpowerments = (tx: Tx, orgId: string, days: number): Promise<Empowerment[]> =>
  tx.db
    .selectFrom('empowerments')
    .select(['user_id as userId', 'empowered_by as empoweredBy', 'is_by_operator as isByOperator'])
    .where('org_id', '=', orgId)
    .where('confirmed_by', 'is', null)
    .where(sql<boolean>`created_at > money_clock() - make_interval(days => ${days}::integer)`)
    .orderBy('created_at')
    .execute()

export async function confirmEmpowerments(
  tx: Tx,
  orgId: string,
  { userId, confirmedBy }: { userId: string; confirmedBy: string },
): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('empowerments')
    .set({ confirmed_by: confirmedBy })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('confirmed_by', 'is', null)
    .where('empowered_by', '<>', confirmedBy)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
