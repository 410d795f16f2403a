import type { Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { withExceptions } from './list-exceptions.ts'
import type { ExceptionDeps, ExceptionNote, ExceptionRow } from './record.ts'
import { findException, selectNotes } from './store.ts'

export interface ExceptionWithNotes {
  exception: ExceptionRow
  notes: ExceptionNote[]
}

const notesLimit = 500

export function getException(
  deps: ExceptionDeps,
  caller: Caller,
  input: { exceptionId: string },
): Promise<ExceptionWithNotes> {
  return withExceptions(deps, caller, 'read', async (tx, scope) => {
    const exception = await findException(tx, caller.orgId, { ...input, ...scope })
    if (!exception) throw notFound('The exception')
    return withNotes(tx, exception)
  })
}

export const withNotes = async (tx: Tx, exception: ExceptionRow): Promise<ExceptionWithNotes> => ({
  exception,
  notes: await selectNotes(tx, exception.org_id, {
    exceptionId: exception.exception_id,
    limit: notesLimit,
  }),
})
