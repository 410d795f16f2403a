import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../../kernel/db/database.ts'
import type { Corridor, CorridorHealth, SignalKey, Weights } from '../record.ts'
import { isEnough } from '../rules.ts'

/** What the attempts of all organisations show, each within its bound. */
export interface PooledWeights extends SignalKey {
  current: Weights
  /** The time of `current`. */
  updatedAt: Date
}

/** What the attempts of one organisation show. */
export interface OrgWeights extends PooledWeights {
  orgId: string
  /** Sums up what no late commit changes any more, as of `settledAt`. */
  settled: Weights
  settledAt: Date
}

/** How a corridor looks to an organisation; that of the nil organisation is what everybody sees. */
export interface HealthView extends Corridor, CorridorHealth {
  orgId: string
}

/** The worst view of a corridor, which is reported to the operator. */
export interface ReportedHealth extends Corridor, CorridorHealth {
  corridorId: string
  provider: string
  changes: number
}

const keyColumns = sql`account_id as "accountId", direction, method, country`
const weightColumns = sql`${keyColumns}, nullif(card_brand, '') as "cardBrand", current, updated_at as "updatedAt"`
const healthColumns = sql`${keyColumns}, health, since, rest_until as "restUntil"`
const viewColumns = sql`org_id as "orgId", ${healthColumns}`
const reportColumns = sql`${healthColumns}, corridor_id as "corridorId", provider, changes`

/** Those that have not changed for longer have nothing left. */
export const weightsLastMs = 2 * 60 * 60_000

export async function selectWeightsAcrossOrgs(
  tx: Tx,
  { accountIds, since }: { accountIds: readonly string[]; since: Date },
): Promise<OrgWeights[]> {
  const { rows } = await sql<OrgWeights>`
    select org_id as "orgId", ${weightColumns}, settled, settled_at as "settledAt" from org_routing_weights
    where account_id = any(${accountIds}::uuid[]) and updated_at >= ${since}`.execute(tx.db)
  return rows
}

export async function upsertWeightsAcrossOrgs(tx: Tx, rows: readonly OrgWeights[]): Promise<void> {
  if (rows.length === 0) return
  const list = rows.map((row) => ({
    ...row,
    cardBrand: row.cardBrand ?? '',
    isEnough: isEnough(row.current),
  }))
  await sql`
    insert into org_routing_weights (org_id, account_id, direction, method, country, card_brand, settled, settled_at,
      current, updated_at, is_enough)
    select "orgId", "accountId", direction, method, country, "cardBrand", settled, "settledAt", current, "updatedAt",
      "isEnough"
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as row
      ("orgId" uuid, "accountId" uuid, direction text, method text, country char(2), "cardBrand" text, settled jsonb,
       "settledAt" timestamptz, current jsonb, "updatedAt" timestamptz, "isEnough" boolean)
    on conflict (org_id, account_id, direction, method, country, card_brand) do update set
      settled = excluded.settled, settled_at = excluded.settled_at, current = excluded.current,
      updated_at = excluded.updated_at, is_enough = excluded.is_enough`.execute(tx.db)
}

export async function upsertPoolAcrossOrgs(tx: Tx, rows: readonly PooledWeights[]): Promise<void> {
  if (rows.length === 0) return
  const list = rows.map((row) => ({ ...row, cardBrand: row.cardBrand ?? '' }))
  await sql`
    insert into routing_weights (account_id, direction, method, country, card_brand, current, updated_at)
    select "accountId", direction, method, country, "cardBrand", current, "updatedAt"
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as row
      ("accountId" uuid, direction text, method text, country char(2), "cardBrand" text, current jsonb,
       "updatedAt" timestamptz)
    on conflict (account_id, direction, method, country, card_brand) do update set
      current = excluded.current, updated_at = excluded.updated_at`.execute(tx.db)
}

export interface HangingCalls extends Corridor {
  orgId: string
  provider: string
  hanging: number
}

/** Calls that have been without an answer since before `until`, by organisation and corridor. */
export async function countHangingAcrossOrgs(
  tx: Tx,
  { from, until }: { from: Date; until: Date },
): Promise<HangingCalls[]> {
  const { rows } = await sql<HangingCalls>`
    select a.org_id as "orgId", a.account_id as "accountId",
           case p.direction when 'inbound' then 'payin' else 'payout' end as direction,
           p.payment_method as method, p.country, min(a.provider) as provider, count(*)::integer as hanging
    from attempts a join payments p on p.org_id = a.org_id and p.payment_id = a.payment_id
    where a.state = 'sending' and a.created_at >= ${from} and a.created_at < ${until}
      and p.direction in ('inbound', 'outbound')
    group by 1, 2, 3, 4, 5`.execute(tx.db)
  return rows
}

export async function selectViewsAcrossOrgs(tx: Tx): Promise<HealthView[]> {
  const { rows } = await sql<HealthView>`select ${viewColumns} from route_health_views`.execute(tx.db)
  return rows
}

export async function upsertViewAcrossOrgs(tx: Tx, view: HealthView): Promise<void> {
  await sql`
    insert into route_health_views (org_id, account_id, direction, method, country, health, since, rest_until)
    values (${view.orgId}, ${view.accountId}, ${view.direction}, ${view.method}, ${view.country}, ${view.health},
            ${view.since}, ${view.restUntil})
    on conflict (org_id, account_id, direction, method, country) do update set
      health = excluded.health, since = excluded.since, rest_until = excluded.rest_until`.execute(tx.db)
}

/** A view without a row is healthy. */
export async function deleteHealthyAcrossOrgs(tx: Tx, until: Date): Promise<void> {
  await sql`delete from route_health_views where health = 'healthy' and since < ${until}`.execute(tx.db)
}

export async function selectReportedAcrossOrgs(tx: Tx): Promise<ReportedHealth[]> {
  const { rows } = await sql<ReportedHealth>`select ${reportColumns} from route_health`.execute(tx.db)
  return rows
}

/** Returns the row with its number of changes, which counts the events. */
export async function upsertReportedAcrossOrgs(
  tx: Tx,
  row: Corridor & CorridorHealth & { provider: string },
): Promise<ReportedHealth> {
  const { rows } = await sql<ReportedHealth>`
    insert into route_health (account_id, direction, method, country, provider, health, since, rest_until, changes)
    values (${row.accountId}, ${row.direction}, ${row.method}, ${row.country}, ${row.provider}, ${row.health},
            ${row.since}, ${row.restUntil}, 1)
    on conflict (account_id, direction, method, country) do update set
      health = excluded.health, since = excluded.since, rest_until = excluded.rest_until,
      changes = route_health.changes + 1
    returning ${reportColumns}`.execute(tx.db)
  const [stored] = rows
  if (!stored) throw new Error('the health was not written')
  return stored
}

export async function deleteWeightsAcrossOrgs(tx: Tx, until: { pooled: Date; ofOrgs: Date }): Promise<void> {
  await tx.db.deleteFrom('routing_weights').where('updated_at', '<', until.pooled).execute()
  await tx.db.deleteFrom('org_routing_weights').where('updated_at', '<', until.ofOrgs).execute()
}

/** The rows for the cache of each process: all of them at first, then those that have changed. */
export const signalStatementsAcrossOrgs = (since: { weights: Date; explorations: Date }): CompiledQuery[] => [
  sql`select ${weightColumns} from routing_weights where updated_at >= ${since.weights}`.compile(statements),
  sql`select org_id as "orgId", ${weightColumns} from org_routing_weights
      where is_enough and updated_at >= ${since.weights}`.compile(statements),
  sql`select ${viewColumns} from route_health_views`.compile(statements),
  sql`select ${healthColumns} from route_health`.compile(statements),
  sql`select org_id as "orgId", bucket_start as "bucketStart", explorations from routing_explorations
      where bucket_start >= ${since.explorations}`.compile(statements),
]
