import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { ExceptionNote, NewException, ExceptionRow } from './record.ts'

const columns = [
  'exception_id',
  'org_id',
  'kind',
  'payment_id',
  'provider',
  'summary',
  'suggested_action',
  'held_minor',
  'held_currency',
  'held_provider',
  'held_account_id',
  'held_custody',
  'status',
  'assignee_id',
  'resolution',
  'closed_by',
  'closed_at',
  'created_at',
  'updated_at',
] as const

export const insertExceptionRow = (
  orgId: string,
  row: NewException & { exceptionId: string; suggestedAction: string },
): CompiledQuery =>
  statements
    .insertInto('exceptions')
    .values({
      org_id: orgId,
      exception_id: row.exceptionId,
      kind: row.kind,
      payment_id: row.paymentId,
      provider: row.provider,
      summary: row.summary,
      suggested_action: row.suggestedAction,
      finding_key: row.findingKey,
      held_minor: row.held?.amountMinor.toString() ?? null,
      held_currency: row.held?.currency ?? null,
      held_provider: row.held?.provider ?? null,
      held_account_id: row.held?.accountId ?? null,
      held_custody: row.held?.custody ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .compile()

/** Writes the exception only if the account is below the organisation's credit limit. */
export const insertExceptionIfBelowLimit = (
  orgId: string,
  row: NewException & { exceptionId: string; suggestedAction: string },
  debited: { account: string; currency: string },
): CompiledQuery =>
  statements
    .insertInto('exceptions')
    .columns(['org_id', 'exception_id', 'kind', 'summary', 'suggested_action', 'finding_key'])
    .expression(
      sql<never>`
        select ${orgId}::uuid, ${row.exceptionId}::uuid, ${row.kind}::text, ${row.summary}::text,
               ${row.suggestedAction}::text, ${row.findingKey}::text
        where is_below_limit(${orgId}::uuid, ${debited.account}, ${debited.currency})`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .compile()

interface Scope {
  withInstallation: boolean
}

const owners = (orgId: string, { withInstallation }: Scope): string[] =>
  withInstallation ? [orgId, installationOrgId] : [orgId]

export function selectExceptions(
  tx: Tx,
  orgId: string,
  page: Scope & {
    status: string | undefined
    kind: string | undefined
    paymentId: string | undefined
    assigneeId: string | undefined
    limit: number
    before: Position | undefined
  },
): Promise<ExceptionRow[]> {
  let query = tx.db.selectFrom('exceptions').select(columns).where('org_id', 'in', owners(orgId, page))
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.kind !== undefined) query = query.where('kind', '=', page.kind)
  if (page.paymentId !== undefined) query = query.where('payment_id', '=', page.paymentId)
  if (page.assigneeId !== undefined) query = query.where('assignee_id', '=', page.assigneeId)
  if (page.before) query = query.where(beforePosition('created_at', 'exception_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('exception_id', 'desc').limit(page.limit).execute()
}

export async function existsFinding(
  tx: Tx,
  orgId: string,
  { paymentId, findingKey }: { paymentId: string; findingKey: string },
): Promise<boolean> {
  const found = await tx.db
    .selectFrom('exceptions')
    .select('exception_id')
    .where('org_id', '=', orgId)
    .where('payment_id', '=', paymentId)
    .where('finding_key', '=', findingKey)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

type ExceptionKey = Scope & { exceptionId: string }

const selectException = (tx: Tx, orgId: string, key: ExceptionKey) =>
  tx.db
    .selectFrom('exceptions')
    .select(columns)
    .where('org_id', 'in', owners(orgId, key))
    .where('exception_id', '=', key.exceptionId)

export const findException = (tx: Tx, orgId: string, key: ExceptionKey): Promise<ExceptionRow | undefined> =>
  selectException(tx, orgId, key).executeTakeFirst()

export const setAssignee = (
  tx: Tx,
  orgId: string,
  { exceptionId, assigneeId }: { exceptionId: string; assigneeId: string | null },
): Promise<ExceptionRow> =>
  tx.db
    .updateTable('exceptions')
    .set({ assignee_id: assigneeId, updated_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('exception_id', '=', exceptionId)
    .returning(columns)
    .executeTakeFirstOrThrow()

export async function insertNote(
  tx: Tx,
  orgId: string,
  note: { exceptionId: string; noteId: string; userId: string; note: string; at: Date },
): Promise<void> {
  await tx.db
    .insertInto('exception_notes')
    .values({
      org_id: orgId,
      exception_id: note.exceptionId,
      note_id: note.noteId,
      user_id: note.userId,
      note: note.note,
      created_at: note.at,
    })
    .execute()
}

/** The newest ones, oldest first. */
export async function selectNotes(
  tx: Tx,
  orgId: string,
  { exceptionId, limit }: { exceptionId: string; limit: number },
): Promise<ExceptionNote[]> {
  const newest = await tx.db
    .selectFrom('exception_notes')
    .select(['note_id', 'user_id', 'note', 'created_at'])
    .where('org_id', '=', orgId)
    .where('exception_id', '=', exceptionId)
    .orderBy('created_at', 'desc')
    .orderBy('note_id', 'desc')
    .limit(limit)
    .execute()
  return newest.reverse()
}

export const lockException = (tx: Tx, orgId: string, key: ExceptionKey): Promise<ExceptionRow | undefined> =>
  selectException(tx, orgId, key).forUpdate().executeTakeFirst()

export const closeExceptionsOf = (
  orgId: string,
  settled: { paymentId: string; kinds: readonly string[]; resolution: string; closedBy: string | null },
): CompiledQuery =>
  statements
    .updateTable('exceptions')
    .set({
      status: 'closed',
      resolution: settled.resolution,
      closed_by: settled.closedBy,
      closed_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('payment_id', '=', settled.paymentId)
    .where('status', '=', 'open')
    .where('held_minor', 'is', null)
    .where('kind', '=', sql<string>`any(${[...settled.kinds]}::text[])`)
    .compile()

export const closeExceptionRow = (
  tx: Tx,
  orgId: string,
  change: { exceptionId: string; resolution: string; closedBy: string },
): Promise<ExceptionRow> =>
  tx.db
    .updateTable('exceptions')
    .set({
      status: 'closed',
      resolution: change.resolution,
      closed_by: change.closedBy,
      closed_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('org_id', '=', orgId)
    .where('exception_id', '=', change.exceptionId)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** The exceptions that were raised, assigned or closed since then. */
export const selectChangedExceptions = (
  tx: Tx,
  orgId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<{ exceptionId: string; updatedAt: Date }[]> =>
  tx.db
    .selectFrom('exceptions')
    .select(['exception_id as exceptionId', 'updated_at as updatedAt'])
    .where('org_id', '=', orgId)
    .where('updated_at', '>=', since)
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute()

/** By the partial index of open exceptions. */
export interface OpenKind {
  kind: string
  count: number
  oldestAgeSeconds: number
}

export async function countOpenByKindAcrossOrgs(tx: Tx): Promise<OpenKind[]> {
  const { rows } = await sql<OpenKind>`
    select kind, count(*)::integer as count,
           extract(epoch from now() - min(created_at))::float8 as "oldestAgeSeconds"
    from exceptions where status = 'open' group by kind order by count desc, kind`.execute(tx.db)
  return rows
}
