import type { Tx } from '../../db/database.ts'
import type { Caller } from '../../lib/access.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { withExceptions, type ExceptionDeps } from './list-exceptions.ts'
import { closeExceptionRow, lockException, type ExceptionRow } from './store.ts'

/** Money is in suspense for it: only what is done with that closes it. */
const closedByDeed = new Map([
  ['unmatched_deposit', 'Assign the deposit or return it: that closes the exception.'],
])

/** A person has dealt with it and says how. */
export function closeException(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string; resolution: string },
): Promise<ExceptionRow> {
  return withExceptions(deps, caller, async (tx, scope) => {
    const before = await lockException(tx, caller.orgId, { ...scope, exceptionId: input.exceptionId })
    if (!before) throw notFound('The exception')
    if (before.status === 'closed') throw conflict('The exception is closed already.')
    const deed = closedByDeed.get(before.kind)
    if (deed !== undefined) throw conflict(deed)
    return closeExceptionIn(tx, caller, before.org_id, input)
  })
}

/** In the transaction of what was done about it. */
export async function closeExceptionIn(
  tx: Tx,
  caller: Caller,
  orgId: string,
  input: { exceptionId: string; resolution: string },
): Promise<ExceptionRow> {
  const after = await closeExceptionRow(tx, orgId, { ...input, closedBy: caller.userId })
  await recordAudit(tx, caller, caller.orgId, {
    action: 'exception.close',
    resourceType: 'exception',
    resourceId: input.exceptionId,
    after: { kind: after.kind, payment_id: after.payment_id, resolution: after.resolution },
  })
  return after
}
