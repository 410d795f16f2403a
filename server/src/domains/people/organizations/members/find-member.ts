import type { Tx } from '../../../../kernel/db/database.ts'
import type { Member } from './record.ts'
import { findMember } from './store.ts'

/** In the caller's transaction. */
export const findMemberIn = (tx: Tx, orgId: string, userId: string): Promise<Member | undefined> =>
  findMember(tx, orgId, userId)
