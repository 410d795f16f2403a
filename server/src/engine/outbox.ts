import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import { statements, type Tx } from '../db/database.ts'
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
  await enqueueOnce(tx, orgId, { ...job, outboxId })
  return outboxId
}

/** For an id that is made of what the job is about: offered again while it waits, it is the same job. */
export async function enqueueOnce(tx: Tx, orgId: string, job: Job & { outboxId: string }): Promise<void> {
  await tx.db
    .insertInto('outbox')
    .values(toRow(orgId, job))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (!job.dueAt) tx.notifyAfterCommit(outboxChannel)
}

/** The same as a statement of a batch. */
export const enqueueStatement = (
  orgId: string,
  jobs: readonly (Job & { outboxId: string })[],
): CompiledQuery =>
  statements
    .insertInto('outbox')
    .values(jobs.map((job) => toRow(orgId, job)))
    .onConflict((conflict) => conflict.doNothing())
    .compile()

/** A job for each row that a write returns, with its `org_id` and `payload`, in the statement of that write. */
export const enqueueEach = (
  job: Pick<Job, 'service' | 'handler'>,
  write: RawBuilder<unknown>,
): CompiledQuery =>
  sql`
    with written as (${write})
    insert into outbox (org_id, outbox_id, service, handler, payload)
    select org_id, gen_random_uuid(), ${job.service}, ${job.handler}, payload from written`.compile(
    statements,
  )

/** Changes when waiting work is due; a row that the relay has handed over is no longer there to change. */
export const rescheduleStatement = (orgId: string, outboxId: string, dueAt: Date): CompiledQuery =>
  statements
    .updateTable('outbox')
    .set({ due_at: dueAt })
    .where('org_id', '=', orgId)
    .where('outbox_id', '=', outboxId)
    .compile()

/** Work that is no longer needed. A row that the relay took meanwhile runs all the same and finds nothing to do. */
export const dropStatement = (orgId: string, outboxId: string): CompiledQuery =>
  statements.deleteFrom('outbox').where('org_id', '=', orgId).where('outbox_id', '=', outboxId).compile()

const toRow = (orgId: string, job: Job & { outboxId: string }) => ({
  org_id: orgId,
  outbox_id: job.outboxId,
  service: job.service,
  handler: job.handler,
  object_key: job.objectKey ?? null,
  payload: JSON.stringify(job.payload),
  request_id: job.requestId ?? null,
  ...(job.dueAt && { due_at: job.dueAt }),
})

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

/** The waiting work of one organisation for one service. */
export interface Lane {
  orgId: string
  service: string
}

/** Before every other. */
export const firstLane: Lane = { orgId: '00000000-0000-0000-0000-000000000000', service: '' }

/** From where nothing is taken: what would be would only wait in another place. */
export interface Closed {
  services: readonly string[]
  lanes: readonly Lane[]
}

export interface Claim {
  limit: number
  leaseSeconds: number
  /** Lanes are looked at from here on. */
  after: Lane
  closed: Closed
}

export interface Claimed {
  rows: OutboxRow[]
  /** The last lane of those that it came to, if there are more. */
  last: Lane | undefined
}

interface ClaimedRow extends OutboxRow {
  turn: number
  lastTurn: number
  lastOrgId: string
  lastService: string
}

const lanesLimit = 64
const rowsPerLane = 50

/**
 * Takes due rows under a lease instead of a lock, so that no network call happens inside a transaction. A relay
 * that dies leaves rows that the next one takes when the lease ends, under the same idempotency key. Lanes take
 * turns, so that whoever has much to do holds nobody up; in a lane, what is due longest goes first.
 */
export async function claimDueAcrossOrgs(
  tx: Tx,
  { limit, leaseSeconds, after, closed }: Claim,
): Promise<Claimed> {
  const isDue = sql`due_at <= now() and (leased_until is null or leased_until <= now())`
  const { rows } = await sql<ClaimedRow>`
    with recursive lanes (turn, org_id, service) as (
      (select 1, org_id, service from outbox
       where (org_id, service collate "C") > (${after.orgId}::uuid, ${after.service}) and ${isDue}
       order by org_id, service collate "C" limit 1)
      union all
      select lanes.turn + 1, next.org_id, next.service from lanes cross join lateral (
        select org_id, service from outbox
        where (org_id, service collate "C") > (lanes.org_id, lanes.service) and ${isDue}
        order by org_id, service collate "C" limit 1
      ) next
      where lanes.turn < ${lanesLimit}
    ), due as (
      select lanes.turn, waiting.org_id, waiting.outbox_id from lanes cross join lateral (
        select org_id, outbox_id from outbox
        where org_id = lanes.org_id and service collate "C" = lanes.service and ${isDue}
        order by due_at limit ${Math.min(limit, rowsPerLane)}
        for update skip locked
      ) waiting
      where lanes.service <> all (${closed.services}::text[]) and (lanes.org_id, lanes.service) not in (
        select * from unnest(
          ${closed.lanes.map((lane) => lane.orgId)}::uuid[], ${closed.lanes.map((lane) => lane.service)}::text[]
        )
      )
      limit ${limit}
    ), taken as (
      update outbox o
      set attempts = o.attempts + 1, leased_until = now() + make_interval(secs => ${leaseSeconds})
      from due
      where o.org_id = due.org_id and o.outbox_id = due.outbox_id
      returning o.org_id as "orgId", o.outbox_id as "outboxId", o.service, o.handler, o.object_key as "objectKey",
                o.payload, o.request_id as "requestId", o.attempts, due.turn
    )
    select taken.*, last.turn as "lastTurn", last.org_id as "lastOrgId", last.service as "lastService"
    from (select * from lanes order by turn desc limit 1) last left join taken on true`.execute(tx.db)
  const taken = rows.filter((row) => row.outboxId !== null)
  return { rows: taken, last: taken.length < limit ? endOf(rows[0]) : taken.toSorted(byTurn).at(-1) }
}

const byTurn = (one: ClaimedRow, other: ClaimedRow): number => one.turn - other.turn
const endOf = (row: ClaimedRow | undefined): Lane | undefined =>
  row?.lastTurn === lanesLimit ? { orgId: row.lastOrgId, service: row.lastService } : undefined

export async function deleteHandedOverAcrossOrgs(tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
  await sql`
    delete from outbox using unnest(
      ${rows.map((row) => row.orgId)}::uuid[], ${rows.map((row) => row.outboxId)}::uuid[]
    ) as done (org_id, outbox_id)
    where outbox.org_id = done.org_id and outbox.outbox_id = done.outbox_id`.execute(tx.db)
}

export type ReturnedRow = Pick<OutboxRow, 'orgId' | 'outboxId' | 'attempts'> & { waitSeconds: number }

/** Ends the lease early or puts the next attempt off; not when another relay has taken the row since. */
export async function putBackAcrossOrgs(tx: Tx, rows: readonly ReturnedRow[]): Promise<void> {
  await sql`
    update outbox o set leased_until = now() + make_interval(secs => back.wait_seconds)
    from unnest(
      ${rows.map((row) => row.orgId)}::uuid[], ${rows.map((row) => row.outboxId)}::uuid[],
      ${rows.map((row) => row.attempts)}::integer[], ${rows.map((row) => row.waitSeconds)}::float8[]
    ) as back (org_id, outbox_id, attempts, wait_seconds)
    where o.org_id = back.org_id and o.outbox_id = back.outbox_id and o.attempts = back.attempts`.execute(
    tx.db,
  )
}

/** Milliseconds until the next row may be claimed; undefined when there is none. */
export async function nextDueInMsAcrossOrgs(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(due_at, coalesce(leased_until, due_at))) - now()) * 1000)::float8 as ms
    from (select due_at, leased_until from outbox order by due_at limit 100) soonest`.execute(tx.db)
  return rows[0]?.ms ?? undefined
}

export interface OutboxBacklog {
  /** Counted up to a limit, so that a scrape stays cheap when it matters most. */
  pending: number
  oldestAgeSeconds: number
}

const countLimit = 100_000

export async function measureBacklogAcrossOrgs(db: Tx['db']): Promise<OutboxBacklog> {
  const { rows } = await sql<OutboxBacklog>`
    select
      (select count(*) from (select from outbox where due_at <= now() limit ${countLimit}) due)::integer as pending,
      coalesce(
        extract(epoch from now() - (select min(due_at) from outbox where due_at <= now())), 0
      )::float8 as "oldestAgeSeconds"`.execute(db)
  return rows[0] ?? { pending: 0, oldestAgeSeconds: 0 }
}
