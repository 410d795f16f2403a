import { sql, type RawBuilder } from 'kysely'
import { compileOnce } from '../db/compile-once.ts'
import { statements, withoutFlush, type Database, type Tx } from '../db/database.ts'
import { noReceiver, type OutboxRow } from './outbox.ts'

/** The due jobs of one organisation for one service and one receiver. */
export interface Lane {
  orgId: string
  service: string
  receiver: string
}

/** Sorts before every other lane. */
export const firstLane: Lane = { orgId: noReceiver, service: '', receiver: noReceiver }

/** The work that this process has no capacity for, so that it claims none of it. */
export interface Saturation {
  services: readonly string[]
  /** All lanes of an organisation for one service. */
  organizations: readonly Pick<Lane, 'orgId' | 'service'>[]
  receivers?: readonly string[]
}

export interface Claim {
  limit: number
  leaseSeconds: number
  /** The claim starts with the lane that follows this one. */
  after: Lane
  saturated: Saturation
  /** Claims rows of this service only. */
  only?: string
}

export interface ClaimResult<Row extends OutboxRow = OutboxRow> {
  rows: Row[]
  /** The last lane that the claim reached, if there are more. */
  last: Lane | undefined
}

type ClaimedRow = OutboxRow & {
  position: number
  lastPosition: number
  lastOrgId: string
  lastService: string
  lastReceiver: string
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

const lanesLimit = 64
export const rowsPerLane = 50

const isDue = sql`is_ready and due_at <= now() and (leased_until is null or leased_until <= now())`

interface ClaimValues {
  limit: number
  rowsPerLane: number
  leaseSeconds: number
  afterOrgId: string
  afterService: string
  afterReceiver: string
  only: string | null
  services: readonly string[]
  orgIds: readonly string[]
  servicesOfOrgs: readonly string[]
  receivers: readonly string[]
}

/**
 * Claims due rows that are ready under a lease instead of a lock, so that no network call happens inside a transaction. If a relay
 * dies, another one claims its rows when the lease ends, with the same idempotency key. Lanes are served
 * round-robin, so that a busy one does not starve the others; within a lane the oldest due rows go first.
 * `details` is a select over `claimed` that adds columns to each row.
 */
const claimStatement = (details?: RawBuilder<unknown>) =>
  compileOnce<ClaimValues>((values) =>
    sql`
    with recursive lanes (position, org_id, service, receiver) as (
      (select 1, org_id, service, receiver from outbox
       where (org_id, service collate "C", receiver) > (${values.afterOrgId}::uuid, ${values.afterService}, ${values.afterReceiver}::uuid)
         and ${isDue}
       order by org_id, service collate "C", receiver limit 1)
      union all
      select lanes.position + 1, next.org_id, next.service, next.receiver from lanes cross join lateral (
        select org_id, service, receiver from outbox
        where (org_id, service collate "C", receiver) > (lanes.org_id, lanes.service, lanes.receiver) and ${isDue}
        order by org_id, service collate "C", receiver limit 1
      ) next
      where lanes.position < ${lanesLimit}
    ), due as (
      select lanes.position, waiting.org_id, waiting.outbox_id from lanes cross join lateral (
        select org_id, outbox_id from outbox
        where org_id = lanes.org_id and service collate "C" = lanes.service and receiver = lanes.receiver and ${isDue}
        order by due_at limit ${values.rowsPerLane}
        for update skip locked
      ) waiting
      where lanes.service = coalesce(${values.only}, lanes.service)
        and lanes.service <> all (${values.services}::text[]) and lanes.receiver <> all (${values.receivers}::uuid[])
        and (lanes.org_id, lanes.service) not in (
          select * from unnest(${values.orgIds}::uuid[], ${values.servicesOfOrgs}::text[])
        )
      limit ${values.limit}
    ), claimed as (
      update outbox o
      set attempts = o.attempts + 1, leased_until = now() + make_interval(secs => ${values.leaseSeconds})
      from due
      where o.org_id = due.org_id and o.outbox_id = due.outbox_id
      returning o.org_id as "orgId", o.outbox_id as "outboxId", o.service, o.handler, o.object_key as "objectKey",
                o.payload, o.request_id as "requestId", o.attempts, o.receiver, due.position
    )
    select claimed.*, last.position as "lastPosition", last.org_id as "lastOrgId", last.service as "lastService",
           last.receiver as "lastReceiver" ${details ? sql`, details.*` : sql``}
    from (select * from lanes order by position desc limit 1) last left join claimed on true
    ${details ? sql`left join lateral (${details}) details on true` : sql``}`.compile(statements),
  )

const claimRows = claimStatement()

export async function claimDueAcrossOrgs(tx: Tx, claim: Claim): Promise<ClaimResult> {
  const { rows } = await tx.db.executeQuery<ClaimedRow>(claimRows(valuesOf(claim)))
  return toClaimed(rows, claim.limit)
}

/** Claims rows together with what `details` selects for each. The commit does not wait for the disk. */
export function claimWithDetails<Details>(
  details?: RawBuilder<Details>,
): (db: Pick<Database, 'batchAcrossOrgs'>, claim: Claim) => Promise<ClaimResult<OutboxRow & Details>> {
  const statement = claimStatement(details)
  return async (db, claim) => {
    const [, rows = []] = await db.batchAcrossOrgs([withoutFlush, statement(valuesOf(claim))])
    return toClaimed(rows as unknown as (ClaimedRow & Details)[], claim.limit) // the columns that the statement names
  }
}

const valuesOf = ({ limit, leaseSeconds, after, saturated, only }: Claim): ClaimValues => ({
  limit,
  rowsPerLane: Math.min(limit, rowsPerLane),
  leaseSeconds,
  afterOrgId: after.orgId,
  afterService: after.service,
  afterReceiver: after.receiver,
  only: only ?? null,
  services: saturated.services,
  orgIds: saturated.organizations.map(({ orgId }) => orgId),
  servicesOfOrgs: saturated.organizations.map(({ service }) => service),
  receivers: saturated.receivers ?? [],
})

function toClaimed<Row extends ClaimedRow>(rows: readonly Row[], limit: number): ClaimResult<Row> {
  const claimed = rows.filter((row) => row.outboxId !== null)
  return {
    rows: claimed,
    last: claimed.length < limit ? lastReached(rows[0]) : claimed.toSorted(byPosition).at(-1),
  }
}

const byPosition = (one: ClaimedRow, other: ClaimedRow): number => one.position - other.position
const lastReached = (row: ClaimedRow | undefined): Lane | undefined =>
  row?.lastPosition === lanesLimit
    ? { orgId: row.lastOrgId, service: row.lastService, receiver: row.lastReceiver }
    : undefined

/**
 * Milliseconds until the next row may be claimed; undefined when there is none. Rows with a receiver are not counted: they wait
 * for it, and a commit wakes whoever claims them.
 */
export async function nextDueInMsAcrossOrgs(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from least(
      (select min(due_at) from outbox where not is_ready),
      (select min(greatest(due_at, coalesce(leased_until, due_at))) from (
        select due_at, leased_until, receiver from outbox order by due_at limit 100
      ) soonest where receiver = ${noReceiver}::uuid)
    ) - now()) * 1000)::float8 as ms`.execute(tx.db)
  return rows[0]?.ms ?? undefined
}
