import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../db/database.ts'
import { beforePosition } from '../../db/keyset.ts'
import { installationOrgId } from '../../db/vault.ts'
import type { Position } from '../../lib/cursor.ts'
import type { NewException, ExceptionRow } from './record.ts'

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
  'resolution',
  'closed_by',
  'closed_at',
  'created_at',
  'updated_at',
] as const

export const insertExceptionRow = (
  orgId: string,
  row: NewException & { exceptionId: string },
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
  row: NewException & { exceptionId: string },
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
    limit: number
    before: Position | undefined
  },
): Promise<ExceptionRow[]> {
  let query = tx.db.selectFrom('exceptions').select(columns).where('org_id', 'in', owners(orgId, page))
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.kind !== undefined) query = query.where('kind', '=', page.kind)
  if (page.paymentId !== undefined) query = query.where('payment_id', '=', page.paymentId)
  if (page.before) query = query.where(beforePosition('created_at', 'exception_id', page.before))
  return query.orderBy('created_at', 'desc').orderBy('exception_id', 'desc').limit(page.limit).execute()
}

export const lockException = (
  tx: Tx,
  orgId: string,
  key: Scope & { exceptionId: string },
): Promise<ExceptionRow | undefined> =>
  tx.db
    .selectFrom('exceptions')
    .select(columns)
    .where('org_id', 'in', owners(orgId, key))
    .where('exception_id', '=', key.exceptionId)
    .forUpdate()
    .executeTakeFirst()

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
