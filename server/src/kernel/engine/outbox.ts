import { sql, type CompiledQuery, type Expression, type RawBuilder } from 'kysely'
import { compileRowsOnce } from '../db/compile-once.ts'
import { statements, type Tx } from '../db/database.ts'
import type { StoredTime } from '../db/money-clock.ts'
import { newId } from '../../lib/ids.ts'

export const outboxChannel = 'switchyard_outbox'
/** For jobs that run where they are claimed: it wakes a worker without its relay asking for work of the engine. */
export const localChannel = 'switchyard_local'

/** The receiver of jobs that are for none in particular. */
export const noReceiver = '00000000-0000-0000-0000-000000000000'

/**
 * When a job is due: so long after it is written, or at a time that stands in a row. The database, by whose clock the
 * relay judges, adds or compares; the clock of a process may differ.
 */
export type Due = { inMs: number; at?: never } | { at: StoredTime; inMs?: never }

/** Work for the engine. The payload is journaled by the engine: ids only, never a secret or personal data. */
export interface Job {
  service: string
  handler: string
  payload: Record<string, string | number | boolean | null>
  /** For services that run one call at a time per key. */
  objectKey?: string
  /** The receiver that the job is for. Jobs for one that has no capacity do not delay the others. */
  receiver?: string
  /** At once without it. */
  due?: Due
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
  if (!job.due) tx.notifyAfterCommit(outboxChannel)
}

/** The same as a statement of a batch. */
export const enqueueStatement = (
  orgId: string,
  jobs: readonly (Job & { outboxId: string })[],
): CompiledQuery => insertJobs(jobs.map((job) => toRow(orgId, job)))

const insertJobs = compileRowsOnce<ReturnType<typeof toRow>>((rows) =>
  statements
    .insertInto('outbox')
    .values(rows.map(({ dueInMs, dueAt, ...row }) => ({ ...row, ...dueColumns({ dueInMs, dueAt }) })))
    .onConflict((conflict) => conflict.doNothing())
    .compile(),
)

/** An insert for a larger statement: one job for each row of its common table expression `rows`, which has an org_id. */
export const enqueueRows = (
  rows: string,
  job: Pick<Job, 'service' | 'handler'> & {
    outboxId: RawBuilder<string>
    payload: RawBuilder<unknown>
    receiver?: RawBuilder<string>
  },
): RawBuilder<unknown> =>
  sql`
    insert into outbox (org_id, outbox_id, service, handler, payload, is_ready, receiver)
    select org_id, ${job.outboxId}, ${job.service}, ${job.handler}, ${job.payload}, true,
      ${job.receiver ?? sql`${noReceiver}::uuid`} from ${sql.table(rows)}
    returning outbox_id`

/** A delete for a larger statement: the jobs that its common table expression names by `org_id` and `outbox_id`. */
export const dropRows = (rows: string): RawBuilder<unknown> =>
  sql`delete from outbox o using ${sql.table(rows)} ended where o.org_id = ended.org_id and o.outbox_id = ended.outbox_id`

/** A job for each row that a write returns, with its `org_id` and `payload`, in the statement of that write. */
export const enqueueEach = (
  job: Pick<Job, 'service' | 'handler'>,
  write: RawBuilder<unknown>,
): CompiledQuery =>
  sql`with written as (${write}) ${enqueueRows('written', { ...job, outboxId: sql`gen_random_uuid()`, payload: sql`payload` })}`.compile(
    statements,
  )

/** Changes the due time of a waiting job. Has no effect once the relay has handed the job over. */
export const rescheduleStatement = (orgId: string, outboxId: string, due: Due): CompiledQuery =>
  statements
    .updateTable('outbox')
    .set(dueColumns({ dueInMs: due.inMs, dueAt: due.at }))
    .where('org_id', '=', orgId)
    .where('outbox_id', '=', outboxId)
    .compile()

/** Deletes a job that is no longer needed. If the relay has handed it over already, it runs and finds nothing to do. */
export const dropStatement = (orgId: string, outboxId: string): CompiledQuery =>
  statements.deleteFrom('outbox').where('org_id', '=', orgId).where('outbox_id', '=', outboxId).compile()

type DueValue<Value> = Value | Expression<Value | undefined> | undefined

/** A job that is due already is ready at once, without waiting for the relay to find that out. */
function dueColumns({ dueInMs, dueAt }: { dueInMs: DueValue<number>; dueAt: DueValue<Date> }) {
  if (dueAt !== undefined)
    return { due_at: sql<Date>`${dueAt}::timestamptz`, is_ready: sql<boolean>`${dueAt} <= clock_timestamp()` }
  if (dueInMs === undefined) return { is_ready: true }
  return {
    due_at: sql<Date>`clock_timestamp() + ${dueInMs}::double precision * interval '1 millisecond'`,
    is_ready: sql<boolean>`${dueInMs}::double precision <= 0`,
  }
}

const toRow = (orgId: string, job: Job & { outboxId: string }) => ({
  org_id: orgId,
  outbox_id: job.outboxId,
  service: job.service,
  handler: job.handler,
  object_key: job.objectKey ?? null,
  receiver: job.receiver ?? noReceiver,
  payload: JSON.stringify(job.payload),
  request_id: job.requestId ?? null,
  dueInMs: job.due?.inMs,
  dueAt: job.due?.at,
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
  receiver: string
}

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

export interface OutboxBacklog {
  /** Counted up to a limit, so that a scrape remains cheap during an incident. */
  pending: number
  /** Of jobs without a receiver: the others may wait until theirs has capacity. */
  oldestAgeSeconds: number
}

const countLimit = 100_000

export async function measureBacklogAcrossOrgs(db: Tx['db']): Promise<OutboxBacklog> {
  const { rows } = await sql<OutboxBacklog>`
    select
      (select count(*) from (select from outbox where due_at <= now() limit ${countLimit}) due)::integer as pending,
      coalesce(extract(epoch from now() - (
        select due_at from outbox where due_at <= now() and receiver = ${noReceiver}::uuid order by due_at limit 1
      )), 0)::float8 as "oldestAgeSeconds"`.execute(db)
  return rows[0] ?? { pending: 0, oldestAgeSeconds: 0 }
}
