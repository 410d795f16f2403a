import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'

export const outboxChannel = 'switchyard_outbox'

/** Work for the engine. The payload is journaled by the engine: ids only, never a secret or personal data. */
export interface Job {
  service: string
  handler: string
  payload: Record<string, string | number | boolean | null>
  /** For services that run one call at a time per key. */
  objectKey?: string
  dueAt?: Date
  requestId?: string
}

/** Written in the caller's transaction: the work exists exactly if what caused it was committed. */
export async function enqueue(tx: Tx, orgId: string, job: Job): Promise<string> {
  const outboxId = newId()
  await tx.db
    .insertInto('outbox')
    .values({
      org_id: orgId,
      outbox_id: outboxId,
      service: job.service,
      handler: job.handler,
      object_key: job.objectKey ?? null,
      payload: JSON.stringify(job.payload),
      request_id: job.requestId ?? null,
      ...(job.dueAt && { due_at: job.dueAt }),
    })
    .execute()
  if (!job.dueAt) tx.notifyAfterCommit(outboxChannel)
  return outboxId
}

export interface OutboxRow {
  orgId: string
  outboxId: string
  service: string
  handler: string
  objectKey: string | null
  payload: unknown
  requestId: string | null
  attempts: number
}

const backoffLimitSeconds = 60

/**
 * Takes due rows under a lease instead of a lock, so that no network call happens inside a transaction. A
 * relay that dies leaves rows that the next one takes when the lease ends, under the same idempotency key.
 */
export async function claimDueAcrossOrgs(tx: Tx, limit: number, leaseSeconds: number): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    update outbox o
    set attempts = o.attempts + 1,
        leased_until = now() + make_interval(secs => least(${leaseSeconds} * power(2, least(o.attempts, 10)), ${backoffLimitSeconds}))
    from (
      select org_id, outbox_id from outbox
      where due_at <= now() and (leased_until is null or leased_until <= now())
      order by due_at
      limit ${limit}
      for update skip locked
    ) due
    where o.org_id = due.org_id and o.outbox_id = due.outbox_id
    returning o.org_id as "orgId", o.outbox_id as "outboxId", o.service, o.handler, o.object_key as "objectKey",
              o.payload, o.request_id as "requestId", o.attempts`.execute(tx.db)
  return rows
}

export async function deleteHandedOverAcrossOrgs(tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
  await sql`
    delete from outbox using unnest(
      ${rows.map((row) => row.orgId)}::uuid[], ${rows.map((row) => row.outboxId)}::uuid[]
    ) as done (org_id, outbox_id)
    where outbox.org_id = done.org_id and outbox.outbox_id = done.outbox_id`.execute(tx.db)
}

/** Milliseconds until the next row may be claimed; undefined when there is none. */
export async function nextDueInMsAcrossOrgs(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(due_at, coalesce(leased_until, due_at))) - now()) * 1000)::float8 as ms
    from (select due_at, leased_until from outbox order by due_at limit 100) soonest`.execute(tx.db)
  return rows[0]?.ms ?? undefined
}
