import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import { withExceptions, withNotes, type ExceptionWithNotes } from './reads.ts'
import type { ExceptionDeps } from './record.ts'
import { findException, insertNote } from './store.ts'

/** Closed exceptions take notes, too: what is learnt later belongs to them. */
export function addNote(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string; note: string },
): Promise<ExceptionWithNotes> {
  const { exceptionId, note } = input
  return withExceptions(deps, caller, 'write', async (tx, scope) => {
    const exception = await findException(tx, caller.orgId, { ...scope, exceptionId })
    if (!exception) throw notFound('The exception')
    const noteId = newId()
    await insertNote(tx, exception.org_id, {
      exceptionId,
      noteId,
      userId: caller.userId,
      note,
      at: deps.clock.now(),
    })
    await recordAudit(tx, caller, caller.orgId, {
      action: 'exception.note',
      resourceType: 'exception',
      resourceId: exceptionId,
      after: { note_id: noteId },
    })
    return withNotes(tx, exception)
  })
}
