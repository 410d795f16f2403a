import type { Database, Tx } from '../../../kernel/db/database.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { notFound } from '../../../lib/errors.ts'
import { readPage, type Page, type PageRequest } from '../../../lib/requests/paging.ts'
import type { ExceptionDeps, ExceptionNote, ExceptionRow } from './record.ts'
import {
  countOpenByKindAcrossOrgs,
  existsFinding,
  findException,
  selectChangedExceptions,
  selectExceptions,
  selectNotes,
  type OpenKind,
} from './store.ts'

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

/** Whether the finding about a payment was ever raised, also if somebody has closed it since. */
export const wasRaised = (
  tx: Tx,
  orgId: string,
  finding: { paymentId: string; findingKey: string },
): Promise<boolean> => existsFinding(tx, orgId, finding)

interface ExceptionFilters {
  status: string | undefined
  kind: string | undefined
  paymentId: string | undefined
  assigneeId: string | undefined
}

/**
 * Exceptions without an organisation belong to the installation: whoever may read the platform sees them with their
 * own, and whoever may write it resolves them.
 */
export const withExceptions = <T>(
  deps: Pick<ExceptionDeps, 'db'>,
  caller: Caller,
  action: 'read' | 'write',
  work: (tx: Tx, scope: { withInstallation: boolean }) => Promise<T>,
): Promise<T> =>
  caller.permissions.has(`platform:${action}`)
    ? deps.db.acrossOrgs((tx) => work(tx, { withInstallation: true }))
    : deps.db.inOrg(caller.orgId, (tx) => work(tx, { withInstallation: false }))

export function listExceptions(
  deps: ExceptionDeps,
  caller: Caller,
  input: { filters: ExceptionFilters; page: PageRequest },
): Promise<Page<ExceptionRow>> {
  const { orgId } = caller
  return readPage(deps.cursorKey, input.page, {
    scope: { orgId, route: 'exceptions', filters: { ...input.filters } },
    read: (limit, before) =>
      withExceptions(deps, caller, 'read', (tx, scope) =>
        selectExceptions(tx, orgId, { ...input.filters, ...scope, limit, before }),
      ),
    positionOf: (row) => ({ createdAt: row.created_at, id: row.exception_id }),
  })
}

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

/** In the caller's transaction. An exception has no version, so the time of its change takes its place. */
export async function listChangedExceptions(
  tx: Tx,
  orgId: string,
  range: { since: Date; limit: number },
): Promise<{ type: string; id: string; sequence: number }[]> {
  const rows = await selectChangedExceptions(tx, orgId, range)
  return rows.map(({ exceptionId, updatedAt }) => ({
    type: 'exception.updated',
    id: exceptionId,
    sequence: updatedAt.getTime(),
  }))
}

/** How many findings of each kind wait for a person, in all organisations and the installation. */
export const countOpenAcrossOrgs = (deps: { db: Database }): Promise<OpenKind[]> =>
  deps.db.acrossOrgs(countOpenByKindAcrossOrgs)
