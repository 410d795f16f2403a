import type { Caller } from '../../../lib/requests/access.ts'
import { withExceptions } from './list-exceptions.ts'
import type { ExceptionDeps, ExceptionRow } from './record.ts'
import { selectExceptions } from './store.ts'

/** The open exceptions that the caller has taken on. */
export const listAssigned = async (
  deps: Pick<ExceptionDeps, 'db'>,
  caller: Caller,
  limit: number,
): Promise<ExceptionRow[]> =>
  caller.permissions.has('exceptions:read')
    ? withExceptions(deps, caller, 'read', (tx, scope) =>
        selectExceptions(tx, caller.orgId, {
          ...scope,
          status: 'open',
          kind: undefined,
          paymentId: undefined,
          assigneeId: caller.userId,
          limit,
          before: undefined,
        }),
      )
    : []
