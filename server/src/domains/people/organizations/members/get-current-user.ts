import type { Database } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import type { Member } from './record.ts'
import { findMember } from './store.ts'

export async function getCurrentUser(deps: { db: Database }, caller: Caller): Promise<Member> {
  const member = await deps.db.inOrg(caller.orgId, (tx) => findMember(tx, caller.orgId, caller.userId))
  if (!member) throw notFound('The user')
  return member
}
