import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import { compileRowsOnce } from '../db/compile-once.ts'
import { statements, type Tx } from '../db/database.ts'
import { newId } from '../lib/ids.ts'

export const outboxChannel = 'switchyard_outbox'
/** For jobs that run where they are claimed: it wakes a worker without its relay asking for work of the engine. */
export const localChannel = 'switchyard_local'

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

/** For an id that is derived from the subject of the job: enqueueing it again while it waits has no effect. */
export async function enqueueOnce(tx: Tx, orgId: string, job: Job & { outboxId: string }): Promise<void> {
  await tx.db.executeQuery(enqueueStatement(orgId, [job]))
  if (!job.dueAt) tx.notifyAfterCommit(outboxChannel)
}

/** The same as a statement of a batch. */
export const enqueueStatement = (
  orgId: string,
  jobs: readonly (Job & { outboxId: string })[],
): CompiledQuery => insertJobs(jobs.map((job) => toRow(orgId, job)))

const insertJobs = compileRowsOnce<ReturnType<typeof toRow>>((rows) =>
  statements
    .insertInto('outbox')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .compile(),
)

/** An insert for a larger statement: one job for each row of its common table expression `rows`, which has an org_id. */
export const enqueueRows = (
  rows: string,
  job: Pick<Job, 'service' | 'handler'> & { outboxId: RawBuilder<string>; payload: RawBuilder<unknown> },
): RawBuilder<unknown> =>
  sql`
    insert into outbox (org_id, outbox_id, service, handler, payload, is_ready)
    select org_id, ${job.outboxId}, ${job.service}, ${job.handler}, ${job.payload}, true from ${sql.table(rows)}
    returning outbox_id`

/** A job for each row that a write returns, with its `org_id` and `payload`, in the statement of that write. */
export const enqueueEach = (
  job: Pick<Job, 'service' | 'handler'>,
  write: RawBuilder<unknown>,
): CompiledQuery =>
  sql`with written as (${write}) ${enqueueRows('written', { ...job, outboxId: sql`gen_random_uuid()`, payload: sql`payload` })}`.compile(
    statements,
  )

/** Changes the due time of a waiting job. Has no effect once the relay has handed the job over. */
export const rescheduleStatement = (orgId: string, outboxId: string, dueAt: Date): CompiledQuery =>
  statements
    .updateTable('outbox')
    .set({ due_at: dueAt, is_ready: isReady(dueAt) })
    .where('org_id', '=', orgId)
    .where('outbox_id', '=', outboxId)
    .compile()

/** Deletes a job that is no longer needed. If the relay has handed it over already, it runs and finds nothing to do. */
export const dropStatement = (orgId: string, outboxId: string): CompiledQuery =>
  statements.deleteFrom('outbox').where('org_id', '=', orgId).where('outbox_id', '=', outboxId).compile()

/** By this process's clock. If it is fast, the relay passes over the job until it is due by the database's. */
const isReady = (dueAt: Date | undefined): boolean => dueAt === undefined || dueAt.getTime() <= Date.now()

const toRow = (orgId: string, job: Job & { outboxId: string }) => ({
  org_id: orgId,
  outbox_id: job.outboxId,
  service: job.service,
  handler: job.handler,
  object_key: job.objectKey ?? null,
  payload: JSON.stringify(job.payload),
  request_id: job.requestId ?? null,
  ...(job.dueAt && { due_at: job.dueAt }),
  is_ready: isReady(job.dueAt),
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

/** The waiting jobs of one organisation for one service. */
export interface Partition {
  orgId: string
  service: string
}

/** Sorts before every other partition. */
export const firstPartition: Partition = { orgId: '00000000-0000-0000-0000-000000000000', service: '' }

/** Services and partitions from which nothing is claimed, because this process has no capacity for them. */
export interface Saturated {
  services: readonly string[]
  partitions: readonly Partition[]
}

export interface Claim {
  limit: number
  leaseSeconds: number
  /** The claim starts with the partition that follows this one. */
  after: Partition
  saturated: Saturated
  /** Claims rows of this service only. */
  only?: string
}

export interface Claimed {
  rows: OutboxRow[]
  /** The last partition that the claim reached, if there are more. */
  last: Partition | undefined
}

interface ClaimedRow extends OutboxRow {
  position: number
  lastPosition: number
  lastOrgId: string
  lastService: string
}

const readiedTogether = 1_000

/** Makes jobs ready whose time has come. Those that wait are no part of a claim, however many there are. */
export async function readyDueAcrossOrgs(tx: Tx): Promise<void> {
  await sql`
    update outbox o set is_ready = true
    from (
      select org_id, outbox_id from outbox where not is_ready and due_at <= now()
      order by due_at limit ${readiedTogether} for update skip locked
    ) due
    where o.org_id = due.org_id and o.outbox_id = due.outbox_id`.execute(tx.db)
}

const partitionsLimit = 64
export const rowsPerPartition = 50

/**
 * Claims due rows that are ready under a lease instead of a lock, so that no network call happens inside a transaction. If a relay
 * dies, another one claims its rows when the lease ends, with the same idempotency key. Partitions are served
 * round-robin, so that a busy one does not starve the others; within a partition the oldest due rows go first.
 */
export async function claimDueAcrossOrgs(
  tx: Tx,
  { limit, leaseSeconds, after, saturated, only }: Claim,
): Promise<Claimed> {
  const isDue = sql`is_ready and due_at <= now() and (leased_until is null or leased_until <= now())`
  const { rows } = await sql<ClaimedRow>`
    with recursive partitions (position, org_id, service) as (
      (select 1, org_id, service from outbox
       where (org_id, service collate "C") > (${after.orgId}::uuid, ${after.service}) and ${isDue}
       order by org_id, service collate "C" limit 1)
      union all
      select partitions.position + 1, next.org_id, next.service from partitions cross join lateral (
        select org_id, service from outbox
        where (org_id, service collate "C") > (partitions.org_id, partitions.service) and ${isDue}
        order by org_id, service collate "C" limit 1
      ) next
      where partitions.position < ${partitionsLimit}
    ), due as (
      select partitions.position, waiting.org_id, waiting.outbox_id from partitions cross join lateral (
        select org_id, outbox_id from outbox
        where org_id = partitions.org_id and service collate "C" = partitions.service and ${isDue}
        order by due_at limit ${Math.min(limit, rowsPerPartition)}
        for update skip locked
      ) waiting
      where partitions.service = coalesce(${only ?? null}, partitions.service)
        and partitions.service <> all (${saturated.services}::text[]) and (partitions.org_id, partitions.service) not in (
        select * from unnest(
          ${saturated.partitions.map((partition) => partition.orgId)}::uuid[], ${saturated.partitions.map((partition) => partition.service)}::text[]
        )
      )
      limit ${limit}
    ), claimed as (
      update outbox o
      set attempts = o.attempts + 1, leased_until = now() + make_interval(secs => ${leaseSeconds})
      from due
      where o.org_id = due.org_id and o.outbox_id = due.outbox_id
      returning o.org_id as "orgId", o.outbox_id as "outboxId", o.service, o.handler, o.object_key as "objectKey",
                o.payload, o.request_id as "requestId", o.attempts, due.position
    )
    select claimed.*, last.position as "lastPosition", last.org_id as "lastOrgId", last.service as "lastService"
    from (select * from partitions order by position desc limit 1) last left join claimed on true`.execute(
    tx.db,
  )
  const claimed = rows.filter((row) => row.outboxId !== null)
  return {
    rows: claimed,
    last: claimed.length < limit ? lastReached(rows[0]) : claimed.toSorted(byPosition).at(-1),
  }
}

const byPosition = (one: ClaimedRow, other: ClaimedRow): number => one.position - other.position
const lastReached = (row: ClaimedRow | undefined): Partition | undefined =>
  row?.lastPosition === partitionsLimit ? { orgId: row.lastOrgId, service: row.lastService } : undefined

export async function deleteHandedOverAcrossOrgs(tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
  await sql`
    delete from outbox using unnest(
      ${rows.map((row) => row.orgId)}::uuid[], ${rows.map((row) => row.outboxId)}::uuid[]
    ) as done (org_id, outbox_id)
    where outbox.org_id = done.org_id and outbox.outbox_id = done.outbox_id`.execute(tx.db)
}

type ReleasedRow = Pick<OutboxRow, 'orgId' | 'outboxId' | 'attempts'> & { waitSeconds: number }

/** Ends the lease early or delays the next attempt, unless another relay has claimed the row in the meantime. */
export async function releaseLeasesAcrossOrgs(tx: Tx, rows: readonly ReleasedRow[]): Promise<void> {
  await sql`
    update outbox o set leased_until = now() + make_interval(secs => released.wait_seconds)
    from unnest(
      ${rows.map((row) => row.orgId)}::uuid[], ${rows.map((row) => row.outboxId)}::uuid[],
      ${rows.map((row) => row.attempts)}::integer[], ${rows.map((row) => row.waitSeconds)}::float8[]
    ) as released (org_id, outbox_id, attempts, wait_seconds)
    where o.org_id = released.org_id and o.outbox_id = released.outbox_id and o.attempts = released.attempts`.execute(
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
  /** Counted up to a limit, so that a scrape remains cheap during an incident. */
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
