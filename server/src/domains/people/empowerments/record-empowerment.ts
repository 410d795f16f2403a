import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import type { Empowerment } from './record.ts'
import { insertEmpowerment } from './store.ts'

/** For the transaction of a change by which the caller gives somebody access without a second person. */
export const recordEmpowerment = (
  tx: Tx,
  caller: Caller,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<void> =>
  insertEmpowerment(tx, orgId, {
    userId,
    empoweredBy: caller.userId,
    isByOperator: caller.orgId !== orgId,
  })

/** The same for access that somebody gave earlier, by an invitation. */
export const recordInvited = (tx: Tx, orgId: string, empowerment: Empowerment): Promise<void> =>
  insertEmpowerment(tx, orgId, empowerment)
