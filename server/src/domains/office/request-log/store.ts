import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../kernel/db/database.ts'
import { beforePosition } from '../../../kernel/db/keyset.ts'
import type { Position } from '../../../lib/requests/cursor.ts'
import type { RequestEntry, RequestFilters } from './record.ts'

/** One statement with one array for each column, however many entries there are. */
export const insertEntriesAcrossOrgs = (entries: readonly RequestEntry[]): CompiledQuery => {
  const column = <Name extends keyof RequestEntry>(name: Name): RequestEntry[Name][] =>
    entries.map((entry) => entry[name])
  return sql`
    insert into request_log (org_id, entry_id, method, route, status, code, duration_us, request_id, user_id,
      credential, api_key_id, created_at)
    select * from unnest(${column('orgId')}::uuid[], ${column('entryId')}::uuid[], ${column('method')}::text[],
      ${column('route')}::text[], ${column('status')}::smallint[], ${column('code')}::text[],
      ${column('durationUs')}::integer[], ${column('requestId')}::text[], ${column('userId')}::text[],
      ${column('credential')}::text[], ${column('apiKeyId')}::uuid[], ${column('createdAt')}::timestamptz[])`.compile(
    statements,
  )
}

const columns = [
  'org_id as orgId',
  'entry_id as entryId',
  'method',
  'route',
  'status',
  'code',
  'duration_us as durationUs',
  'request_id as requestId',
  'user_id as userId',
  'credential',
  'api_key_id as apiKeyId',
  'created_at as createdAt',
] as const

export function selectEntries(
  tx: Tx,
  orgId: string,
  page: { filters: RequestFilters; limit: number; before: Position | undefined },
): Promise<RequestEntry[]> {
  const { filters, before } = page
  let query = tx.db.selectFrom('request_log').select(columns).where('org_id', '=', orgId)
  const equal = {
    status: filters.status,
    method: filters.method,
    route: filters.route,
    api_key_id: filters.apiKeyId,
    user_id: filters.userId,
    request_id: filters.requestId,
  }
  for (const [name, value] of Object.entries(equal))
    if (value !== undefined) query = query.where(name as keyof typeof equal, '=', value) // a key of the object above
  if (filters.statusClass !== undefined) {
    const first = Number(filters.statusClass[0]) * 100
    query = query.where('status', '>=', first).where('status', '<', first + 100)
  }
  if (filters.from) query = query.where('created_at', '>=', filters.from)
  if (filters.to) query = query.where('created_at', '<', filters.to)
  if (before) query = query.where(beforePosition('created_at', 'entry_id', before))
  return query.orderBy('created_at', 'desc').orderBy('entry_id', 'desc').limit(page.limit).execute()
}

export async function deleteEntriesAcrossOrgs(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from request_log where ctid = any(array(
      select ctid from request_log where created_at < ${before} limit ${limit}))`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}
