import { sql, type CompiledQuery } from 'kysely'
import { statements, type Tx } from '../../../db/database.ts'
import type { Corridor, CorridorHealth, SignalKey, Weights } from '../record.ts'

export interface StoredWeights extends SignalKey {
  /** Sums up what no late commit changes any more, as of `settledAt`. */
  settled: Weights
  settledAt: Date
  current: Weights
  /** The time of `current`. */
  updatedAt: Date
}

export interface StoredHealth extends Corridor, CorridorHealth {
  corridorId: string
  provider: string
  changes: number
}

const keyColumns = sql`account_id as "accountId", direction, method, country`
const weightColumns = sql`${keyColumns}, nullif(card_brand, '') as "cardBrand", settled, settled_at as "settledAt",
  current, updated_at as "updatedAt"`
const healthColumns = sql`${keyColumns}, corridor_id as "corridorId", provider, health, since,
  rest_until as "restUntil", changes`

export async function selectWeightsAcrossOrgs(
  tx: Tx,
  accountIds: readonly string[],
): Promise<StoredWeights[]> {
  const { rows } = await sql<StoredWeights>`
    select ${weightColumns} from routing_weights where account_id = any(${accountIds}::uuid[])`.execute(tx.db)
  return rows
}

export async function upsertWeightsAcrossOrgs(tx: Tx, rows: readonly StoredWeights[]): Promise<void> {
  if (rows.length === 0) return
  const list = rows.map((row) => ({ ...row, cardBrand: row.cardBrand ?? '' }))
  await sql`
    insert into routing_weights
      (account_id, direction, method, country, card_brand, settled, settled_at, current, updated_at)
    select "accountId", direction, method, country, "cardBrand", settled, "settledAt", current, "updatedAt"
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as row
      ("accountId" uuid, direction text, method text, country char(2), "cardBrand" text, settled jsonb,
       "settledAt" timestamptz, current jsonb, "updatedAt" timestamptz)
    on conflict (account_id, direction, method, country, card_brand) do update set
      settled = excluded.settled, settled_at = excluded.settled_at, current = excluded.current,
      updated_at = excluded.updated_at`.execute(tx.db)
}

/** Calls that have been without an answer since before `until`, by corridor. */
export async function countHangingAcrossOrgs(
  tx: Tx,
  { from, until }: { from: Date; until: Date },
): Promise<(Corridor & { provider: string; hanging: number })[]> {
  const { rows } = await sql<Corridor & { provider: string; hanging: number }>`
    select a.account_id as "accountId", case p.direction when 'inbound' then 'payin' else 'payout' end as direction,
           p.payment_method as method, p.country, min(a.provider) as provider, count(*)::integer as hanging
    from attempts a join payments p on p.org_id = a.org_id and p.payment_id = a.payment_id
    where a.state = 'sending' and a.created_at >= ${from} and a.created_at < ${until}
      and p.direction in ('inbound', 'outbound')
    group by 1, 2, 3, 4`.execute(tx.db)
  return rows
}

export async function selectHealthAcrossOrgs(tx: Tx): Promise<StoredHealth[]> {
  const { rows } = await sql<StoredHealth>`select ${healthColumns} from route_health`.execute(tx.db)
  return rows
}

/** Returns the row with its number of changes, which counts the events. */
export async function upsertHealthAcrossOrgs(
  tx: Tx,
  row: Corridor & CorridorHealth & { provider: string; isChange: boolean },
): Promise<StoredHealth> {
  const { rows } = await sql<StoredHealth>`
    insert into route_health (account_id, direction, method, country, provider, health, since, rest_until, changes)
    values (${row.accountId}, ${row.direction}, ${row.method}, ${row.country}, ${row.provider}, ${row.health},
            ${row.since}, ${row.restUntil}, 1)
    on conflict (account_id, direction, method, country) do update set
      health = excluded.health, since = excluded.since, rest_until = excluded.rest_until,
      changes = route_health.changes + ${row.isChange ? 1 : 0}
    returning ${healthColumns}`.execute(tx.db)
  const [stored] = rows
  if (!stored) throw new Error('the health was not written')
  return stored
}

export async function deleteWeightsAcrossOrgs(tx: Tx, until: Date): Promise<void> {
  await tx.db.deleteFrom('routing_weights').where('updated_at', '<', until).execute()
}

/** What every process keeps in memory: all rows at first, then those that have changed. */
export const signalStatementsAcrossOrgs = (since: { weights: Date; explorations: Date }): CompiledQuery[] => [
  sql`select ${weightColumns} from routing_weights where updated_at >= ${since.weights}`.compile(statements),
  sql`select ${healthColumns} from route_health`.compile(statements),
  sql`select org_id as "orgId", bucket_start as "bucketStart", explorations from routing_explorations
      where bucket_start >= ${since.explorations}`.compile(statements),
]
