import type { Caller } from '../../lib/access.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/record-audit.ts'
import { withExceptions, type ExceptionDeps } from './list-exceptions.ts'
import { closeExceptionRow, lockException, type ExceptionRow } from './store.ts'

/** A person has dealt with it and says how. */
export function closeException(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string; resolution: string },
): Promise<ExceptionRow> {
  const { orgId } = caller
  return withExceptions(deps, caller, async (tx, scope) => {
    const before = await lockException(tx, orgId, { ...scope, exceptionId: input.exceptionId })
    if (!before) throw notFound('The exception')
    if (before.status === 'closed') throw conflict('The exception is closed already.')
    const after = await closeExceptionRow(tx, before.org_id, { ...input, closedBy: caller.userId })
    await recordAudit(tx, caller, orgId, {
      action: 'exception.close',
      resourceType: 'exception',
      resourceId: input.exceptionId,
      after: { kind: after.kind, payment_id: after.payment_id, resolution: after.resolution },
    })
    return after
  })
}
