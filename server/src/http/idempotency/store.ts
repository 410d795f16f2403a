import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

interface StoredCall {
  requestHash: Buffer
  responseStatus: number | null
  responseSealed: Buffer | null
}

/** True if the key was free or expired, and is now claimed. */
export async function claimKey(
  tx: Tx,
  orgId: string,
  call: { key: string; requestHash: Buffer; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (org_id, idempotency_key, request_hash, expires_at)
    values (${orgId}, ${call.key}, ${call.requestHash}, ${call.expiresAt})
    on conflict (org_id, idempotency_key) do update
      set request_hash = excluded.request_hash, expires_at = excluded.expires_at, created_at = now(),
          response_status = null, response_sealed = null
      where idempotency_keys.expires_at <= ${call.now}
    returning idempotency_key`.execute(tx.db)
  return rows.length === 1
}

export async function findCall(tx: Tx, orgId: string, key: string): Promise<StoredCall | undefined> {
  const row = await tx.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'response_status', 'response_sealed'])
    .where('org_id', '=', orgId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return (
    row && {
      requestHash: row.request_hash,
      responseStatus: row.response_status,
      responseSealed: row.response_sealed,
    }
  )
}

export async function saveResponse(
  tx: Tx,
  orgId: string,
  response: { key: string; status: number; sealed: Buffer },
): Promise<void> {
  await tx.db
    .updateTable('idempotency_keys')
    .set({ response_status: response.status, response_sealed: response.sealed })
    .where('org_id', '=', orgId)
    .where('idempotency_key', '=', response.key)
    .execute()
}

export async function deleteExpiredKeysAcrossOrgs(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys k using (
      select org_id, idempotency_key from idempotency_keys where expires_at <= ${now}
      limit ${limit} for update skip locked
    ) expired
    where k.org_id = expired.org_id and k.idempotency_key = expired.idempotency_key`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}
