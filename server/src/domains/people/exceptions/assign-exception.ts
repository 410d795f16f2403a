import type { Tx } from '../../../kernel/db/database.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { validationError } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { lockOpenException } from './close-exception.ts'
import { withExceptions, withNotes, type ExceptionWithNotes } from './reads.ts'
import type { ExceptionDeps, ExceptionRow } from './record.ts'
import { setAssignee } from './store.ts'

/** Gives an open exception to a member, or to nobody. */
export function assignException(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string; assigneeId: string | null },
): Promise<ExceptionWithNotes> {
  const { exceptionId, assigneeId } = input
  return withExceptions(deps, caller, 'write', async (tx, scope) => {
    const before = await lockOpenException(tx, caller, { ...scope, exceptionId })
    if (assigneeId !== null) await assertMayHave(deps, tx, caller, { before, assigneeId })
    const after = await setAssignee(tx, before.org_id, { exceptionId, assigneeId })
    await recordAudit(tx, caller, caller.orgId, {
      action: 'exception.assign',
      resourceType: 'exception',
      resourceId: exceptionId,
      before: { assignee_id: before.assignee_id },
      after: { assignee_id: assigneeId },
    })
    return withNotes(tx, after)
  })
}

/** Exceptions of the installation are the operator's alone. */
async function assertMayHave(
  { findMemberIn }: ExceptionDeps,
  tx: Tx,
  caller: Caller,
  { before, assigneeId }: { before: ExceptionRow; assigneeId: string },
): Promise<void> {
  const isInstallation = before.org_id === installationOrgId
  const member = await findMemberIn(tx, isInstallation ? caller.orgId : before.org_id, assigneeId)
  const message = isInstallation ? 'is no platform-admin' : 'is no member of the organisation'
  if (!member || (isInstallation && member.role !== 'platform-admin'))
    throw validationError(`user_id: ${message}.`, [{ path: 'user_id', message }])
}
