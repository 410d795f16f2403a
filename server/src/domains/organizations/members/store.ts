import type { Tx } from '../../../db/database.ts'
import { beforePosition } from '../../../db/keyset.ts'
import type { Position } from '../../../lib/cursor.ts'
import type { User } from './record.ts'

const columns = [
  'org_id',
  'user_id',
  'email',
  'first_name',
  'last_name',
  'country',
  'role',
  'created_at',
  'updated_at',
] as const

export function selectUsers(
  tx: Tx,
  orgId: string,
  page: { limit: number; before: Position | undefined },
): Promise<User[]> {
  let query = tx.db.selectFrom('members').select(columns).where('org_id', '=', orgId)
  if (page.before) query = query.where(beforePosition('created_at', 'user_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('user_id', 'desc').limit(page.limit).execute()
}

export const findUser = (tx: Tx, orgId: string, userId: string): Promise<User | undefined> =>
  tx.db
    .selectFrom('members')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
