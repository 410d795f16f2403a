import type { CompiledQuery } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { AuditFilters, AuditRow, StoredAuditRow } from './record.ts'

export async function insertAuditRow(tx: Tx, orgId: string, row: AuditRow): Promise<void> {
  await tx.db.executeQuery(insertAuditStatement(orgId, row))
}

const insertRow = compileOnce<ReturnType<typeof toColumns>>((row) =>
  statements.insertInto('audit_log').values(row).compile(),
)

export const insertAuditStatement = (orgId: string, row: AuditRow): CompiledQuery =>
  insertRow(toColumns(orgId, row))

const toColumns = (orgId: string, row: AuditRow) => ({
  org_id: orgId,
  audit_id: row.auditId,
  user_id: row.userId,
  credential: row.credential,
  api_key_id: row.apiKeyId,
  action: row.action,
  resource_type: row.resourceType,
  resource_id: row.resourceId,
  before: row.before === undefined ? null : JSON.stringify(row.before),
  after: row.after === undefined ? null : JSON.stringify(row.after),
  ip: row.ip,
  user_agent: row.userAgent,
  request_id: row.requestId,
})

export function selectAuditRows(
  tx: Tx,
  orgId: string,
  page: { filters: AuditFilters; limit: number; before: Position | undefined },
): Promise<StoredAuditRow[]> {
  const { filters, before } = page
  let query = tx.db.selectFrom('audit_log').selectAll().where('org_id', '=', orgId)
  if (filters.userId !== undefined) query = query.where('user_id', '=', filters.userId)
  if (filters.action !== undefined) query = query.where('action', '=', filters.action)
  if (filters.resourceType !== undefined) query = query.where('resource_type', '=', filters.resourceType)
  if (filters.resourceId !== undefined) query = query.where('resource_id', '=', filters.resourceId)
  if (filters.from) query = query.where('created_at', '>=', filters.from)
  if (filters.to) query = query.where('created_at', '<', filters.to)
  if (before) query = query.where(beforePosition('created_at', 'audit_id', before))
  return query.orderBy('created_at', 'desc').orderBy('audit_id', 'desc').limit(page.limit).execute()
}
