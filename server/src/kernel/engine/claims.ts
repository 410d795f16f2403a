import { sql, type RawBuilder } from 'kysely'
import { compileOnce } from '../db/compile-once.ts'
import { statements, withoutFlush, type Database, type Tx } from '../db/database.ts'
import { noLane, type OutboxRow } from './outbox.ts'

/** The waiting jobs of one organisation for one service and one receiver. */
export interface Partition {
  orgId: string
  service: string
  lane: string
}

/** Sorts before every other partition. */
export const firstPartition: Partition = { orgId: noLane, service: '', lane: noLane }

/** What nothing is claimed from, because this process has no capacity for it. */
export interface Saturated {
  services: readonly string[]
  /** Of an organisation, all lanes of one service. */
  partitions: readonly Pick<Partition, 'orgId' | 'service'>[]
  lanes?: readonly string[]
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

export interface Claimed<Row extends OutboxRow = OutboxRow> {
  rows: Row[]
  /** The last partition that the claim reached, if there are more. */
  last: Partition | undefined
}

type ClaimedRow = OutboxRow & {
  position: number
  lastPosition: number
  lastOrgId: string
  lastService: string
  lastLane: string
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

const isDue = sql`is_ready and due_at <= now() and (leased_until is null or leased_until <= now())`

interface ClaimValues {
  limit: number
  rowsPerPartition: number
  leaseSeconds: number
  afterOrgId: string
  afterService: string
  afterLane: string
  only: string | null
  services: readonly string[]
  orgIds: readonly string[]
  servicesOfOrgs: readonly string[]
  lanes: readonly string[]
}

/**
 * Claims due rows that are ready under a lease instead of a lock, so that no network call happens inside a transaction. If a relay
 * dies, another one claims its rows when the lease ends, with the same idempotency key. Partitions are served
 * round-robin, so that a busy one does not starve the others; within a partition the oldest due rows go first.
 * `details` is a select over `claimed` that adds columns to each row.
 */
const claimStatement = (details?: RawBuilder<unknown>) =>
  compileOnce<ClaimValues>((values) =>
    sql`
    with recursive partitions (position, org_id, service, lane) as (
      (select 1, org_id, service, lane from outbox
       where (org_id, service collate "C", lane) > (${values.afterOrgId}::uuid, ${values.afterService}, ${values.afterLane}::uuid)
         and ${isDue}
       order by org_id, service collate "C", lane limit 1)
      union all
      select partitions.position + 1, next.org_id, next.service, next.lane from partitions cross join lateral (
        select org_id, service, lane from outbox
        where (org_id, service collate "C", lane) > (partitions.org_id, partitions.service, partitions.lane) and ${isDue}
        order by org_id, service collate "C", lane limit 1
      ) next
      where partitions.position < ${partitionsLimit}
    ), due as (
      select partitions.position, waiting.org_id, waiting.outbox_id from partitions cross join lateral (
        select org_id, outbox_id from outbox
        where org_id = partitions.org_id and service collate "C" = partitions.service and lane = partitions.lane and ${isDue}
        order by due_at limit ${values.rowsPerPartition}
        for update skip locked
      ) waiting
      where partitions.service = coalesce(${values.only}, partitions.service)
        and partitions.service <> all (${values.services}::text[]) and partitions.lane <> all (${values.lanes}::uuid[])
        and (partitions.org_id, partitions.service) not in (
          select * from unnest(${values.orgIds}::uuid[], ${values.servicesOfOrgs}::text[])
        )
      limit ${values.limit}
    ), claimed as (
      update outbox o
      set attempts = o.attempts + 1, leased_until = now() + make_interval(secs => ${values.leaseSeconds})
      from due
      where o.org_id = due.org_id and o.outbox_id = due.outbox_id
      returning o.org_id as "orgId", o.outbox_id as "outboxId", o.service, o.handler, o.object_key as "objectKey",
                o.payload, o.request_id as "requestId", o.attempts, o.lane, due.position
    )
    select claimed.*, last.position as "lastPosition", last.org_id as "lastOrgId", last.service as "lastService",
           last.lane as "lastLane" ${details ? sql`, details.*` : sql``}
    from (select * from partitions order by position desc limit 1) last left join claimed on true
    ${details ? sql`left join lateral (${details}) details on true` : sql``}`.compile(statements),
  )

const claimRows = claimStatement()

export async function claimDueAcrossOrgs(tx: Tx, claim: Claim): Promise<Claimed> {
  const { rows } = await tx.db.executeQuery<ClaimedRow>(claimRows(valuesOf(claim)))
  return toClaimed(rows, claim.limit)
}

/** Claims rows together with what `details` selects for each. The commit does not wait for the disk. */
export function claimWithDetails<Details>(
  details?: RawBuilder<Details>,
): (db: Pick<Database, 'batchAcrossOrgs'>, claim: Claim) => Promise<Claimed<OutboxRow & Details>> {
  const statement = claimStatement(details)
  return async (db, claim) => {
    const [, rows = []] = await db.batchAcrossOrgs([withoutFlush, statement(valuesOf(claim))])
    return toClaimed(rows as unknown as (ClaimedRow & Details)[], claim.limit) // the columns that the statement names
  }
}

const valuesOf = ({ limit, leaseSeconds, after, saturated, only }: Claim): ClaimValues => ({
  limit,
  rowsPerPartition: Math.min(limit, rowsPerPartition),
  leaseSeconds,
  afterOrgId: after.orgId,
  afterService: after.service,
  afterLane: after.lane,
  only: only ?? null,
  services: saturated.services,
  orgIds: saturated.partitions.map(({ orgId }) => orgId),
  servicesOfOrgs: saturated.partitions.map(({ service }) => service),
  lanes: saturated.lanes ?? [],
})

function toClaimed<Row extends ClaimedRow>(rows: readonly Row[], limit: number): Claimed<Row> {
  const claimed = rows.filter((row) => row.outboxId !== null)
  return {
    rows: claimed,
    last: claimed.length < limit ? lastReached(rows[0]) : claimed.toSorted(byPosition).at(-1),
  }
}

const byPosition = (one: ClaimedRow, other: ClaimedRow): number => one.position - other.position
const lastReached = (row: ClaimedRow | undefined): Partition | undefined =>
  row?.lastPosition === partitionsLimit
    ? { orgId: row.lastOrgId, service: row.lastService, lane: row.lastLane }
    : undefined

/**
 * Milliseconds until the next row may be claimed; undefined when there is none. Rows of a lane are not counted: they wait
 * for their receiver, and a commit wakes whoever claims them.
 */
export async function nextDueInMsAcrossOrgs(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from least(
      (select min(due_at) from outbox where not is_ready),
      (select min(greatest(due_at, coalesce(leased_until, due_at))) from (
        select due_at, leased_until, lane from outbox order by due_at limit 100
      ) soonest where lane = ${noLane}::uuid)
    ) - now()) * 1000)::float8 as ms`.execute(tx.db)
  return rows[0]?.ms ?? undefined
}
