import type { Database } from '../../../db/database.ts'
import type { Caller } from '../../../lib/access.ts'
import { notFound } from '../../../lib/errors.ts'
import type { User } from './record.ts'
import { findUser } from './store.ts'

export async function getCurrentUser(deps: { db: Database }, caller: Caller): Promise<User> {
  const user = await deps.db.inOrg(caller.orgId, (tx) => findUser(tx, caller.orgId, caller.userId))
  if (!user) throw notFound('The user')
  return user
}
