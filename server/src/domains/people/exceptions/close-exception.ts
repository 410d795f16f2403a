import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { conflict, notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { withExceptions } from './reads.ts'
import type { ExceptionRow, ExceptionDeps } from './record.ts'
import { heldBy } from './rules.ts'
import { closeExceptionRow, lockException } from './store.ts'

/** Exceptions with money in suspense are closed by the operation that resolves the money. */
function closingOperation(exception: ExceptionRow): string | undefined {
  if (exception.kind === 'unmatched_deposit') return 'Assign the deposit or return it'
  return heldBy(exception) && 'Release its money with release-money'
}

export function closeException(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string; resolution: string },
): Promise<ExceptionRow> {
  return withExceptions(deps, caller, 'write', async (tx, scope) => {
    const before = await lockOpenException(tx, caller, { ...scope, exceptionId: input.exceptionId })
    const operation = closingOperation(before)
    if (operation !== undefined) throw conflict(`${operation}; that closes the exception.`)
    return closeExceptionIn(tx, caller, before.org_id, input)
  })
}

export async function lockOpenException(
  tx: Tx,
  caller: Caller,
  key: { exceptionId: string; withInstallation: boolean },
): Promise<ExceptionRow> {
  const exception = await lockException(tx, caller.orgId, key)
  if (!exception) throw notFound('The exception')
  if (exception.status === 'closed') throw conflict('The exception is already closed.')
  return exception
}

/** For the transaction of the operation that resolves it. */
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
