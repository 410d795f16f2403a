import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../kernel/db/database.ts'
import { assertWritten } from '../../kernel/db/errors.ts'
import { stampIn } from '../../kernel/db/money-clock.ts'

/** Whose key it is. */
interface KeyOwner {
  userId: string
  key: string
}

interface Claim extends KeyOwner {
  requestHash: Buffer
  /** What the call begins, if the claim is part of the transaction that writes it. */
  resourceId: string | null
  /** Undefined: after the normal time, as the database counts it. */
  expiresAt: Date | undefined
}

export const retentionMs = 24 * 60 * 60 * 1000

interface StoredCall {
  requestHash: Buffer
  resourceId: string | null
  responseStatus: number | null
  responseSealed: Buffer | null
}

/** Takes a key that is free or has expired; the transaction fails if it is in use. */
export const claimStatement = (orgId: string, claim: Claim): CompiledQuery =>
  sql`
    with claimed as (
      insert into idempotent_calls (org_id, user_id, idempotency_key, request_hash, resource_id, expires_at)
      values (${orgId}, ${claim.userId}, ${claim.key}, ${claim.requestHash}, ${claim.resourceId}, ${claim.expiresAt ?? stampIn(retentionMs)})
      on conflict (org_id, user_id, idempotency_key) do update
        set request_hash = excluded.request_hash, resource_id = excluded.resource_id,
            expires_at = excluded.expires_at, created_at = now(), response_status = null, response_sealed = null
        where idempotent_calls.expires_at <= money_clock()
      returning idempotency_key
    )
    select ${assertWritten('keyTaken')} from claimed`.compile(statements)

/** The call that holds the key. */
export async function findCall(
  tx: Tx,
  orgId: string,
  { userId, key }: KeyOwner,
): Promise<StoredCall | undefined> {
  const { rows } = await sql<StoredCall>`
    select request_hash as "requestHash", resource_id as "resourceId", response_status as "responseStatus",
           response_sealed as "responseSealed"
    from idempotent_calls
    where org_id = ${orgId} and user_id = ${userId} and idempotency_key = ${key} and expires_at > money_clock()`.execute(
    tx.db,
  )
  return rows[0]
}

export async function saveResponse(
  tx: Tx,
  orgId: string,
  response: KeyOwner & { status: number; sealed: Buffer },
): Promise<void> {
  await tx.db
    .updateTable('idempotent_calls')
    .set({ response_status: response.status, response_sealed: response.sealed })
    .where('org_id', '=', orgId)
    .where('user_id', '=', response.userId)
    .where('idempotency_key', '=', response.key)
    .execute()
}

/** Only the claim itself, which its expiry identifies: a later call may have taken the key since. */
export async function deleteClaim(
  tx: Tx,
  orgId: string,
  { userId, key, expiresAt }: KeyOwner & { expiresAt: Date },
): Promise<void> {
  await tx.db
    .deleteFrom('idempotent_calls')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .where('expires_at', '=', expiresAt)
    .where('resource_id', 'is', null)
    .where('response_status', 'is', null)
    .execute()
}

export async function deleteExpiredKeysAcrossOrgs(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotent_calls k using (
      select org_id, user_id, idempotency_key from idempotent_calls where expires_at <= (select money_clock())
      limit ${limit} for update skip locked
    ) expired
    where k.org_id = expired.org_id and k.user_id = expired.user_id
      and k.idempotency_key = expired.idempotency_key`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}
