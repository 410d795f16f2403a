import type { Database, Tx } from '../../../../kernel/db/database.ts'
import type { Caller } from '../../../../lib/requests/access.ts'
import { notFound } from '../../../../lib/errors.ts'
import { orgInScope } from '../../../../lib/requests/org-scope.ts'
import type { Member } from './record.ts'
import { findMember, findMemberByEmail } from './store.ts'

export async function getMember(
  deps: { db: Database },
  caller: Caller,
  input: { orgId: string; userId: string },
): Promise<Member> {
  const orgId = orgInScope(caller, input.orgId, 'read')
  const member = await deps.db.inOrg(orgId, (tx) => findMember(tx, orgId, input.userId))
  if (!member) throw notFound('The member')
  return member
}

/** For operations that have checked the caller's access themselves. */
export const findMemberById = (
  deps: { db: Database },
  orgId: string,
  userId: string,
): Promise<Member | undefined> => deps.db.inOrg(orgId, (tx) => findMember(tx, orgId, userId))

export const isMember = async (deps: { db: Database }, orgId: string, userId: string): Promise<boolean> =>
  (await findMemberById(deps, orgId, userId)) !== undefined

/** In the caller's transaction. Email addresses are compared case-insensitively. */
export const isMemberByEmail = async (tx: Tx, orgId: string, email: string): Promise<boolean> =>
  (await findMemberByEmail(tx, orgId, email)) !== undefined
