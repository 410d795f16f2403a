import type { Client } from 'pg'
import { fenceTable, type TenantTable } from './tenant-tables.ts'

/** What the fence keeps from an organisation: writes in its old cell, everything in its new one. */
type Kept = 'writes' | 'everything'

/** Jobs are handed over from here; in the old cell, none of a fenced organisation may be. */
const handOver = 'outbox'
const policies = ['fence_all', 'fence_insert', 'fence_update', 'fence_delete']

/**
 * Makes every write for a fenced organisation fail, in whichever process it begins: a restrictive policy on each tenant
 * table, which row level security adds to those that are there.
 */
export async function installFence(
  client: Client,
  tables: readonly TenantTable[],
  kept: Kept,
): Promise<void> {
  await client.query(
    `create table if not exists ${fenceTable} (org_id uuid primary key); grant select on ${fenceTable} to public;`,
  )
  for (const { name } of tables) {
    const dropped = policies.map((policy) => `drop policy if exists ${policy} on "${name}";`)
    const isHidden = kept === 'everything' || name === handOver
    await client.query([...dropped, isHidden ? hidden(name) : readOnly(name)].join('\n'))
  }
}

/** Read once per statement, so that it costs next to nothing. */
const isFree = `(org_id <> all (array (select f.org_id from ${fenceTable} f)))`

const hidden = (table: string): string =>
  `create policy fence_all on "${table}" as restrictive for all using ${isFree};`

const readOnly = (table: string): string => `
  create policy fence_insert on "${table}" as restrictive for insert with check ${isFree};
  create policy fence_update on "${table}" as restrictive for update using (true) with check ${isFree};
  create policy fence_delete on "${table}" as restrictive for delete using ${isFree};`

/** From the commit on, no statement of the organisation writes; returns the transaction that set it up. */
export async function raiseFence(client: Client, orgId: string): Promise<string> {
  const { rows } = await client.query<{ fence: string }>(
    `insert into ${fenceTable} values ($1) on conflict (org_id) do update set org_id = excluded.org_id returning pg_current_xact_id()::xid::text as fence`,
    [orgId],
  )
  return rows[0]?.fence ?? '0'
}

export async function lowerFence(client: Client, orgId: string): Promise<void> {
  await client.query(`delete from ${fenceTable} where org_id = $1`, [orgId])
}

/** Transactions that began to write before the fence, and statements that do not see it yet. */
export async function transactionsBefore(client: Client, fence: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where pid <> pg_backend_pid() and usename like 'switchyard_%'
       and (age(backend_xid) > age($1::text::xid) or age(backend_xmin) >= age($1::text::xid))`,
    [fence],
  )
  return rows[0]?.count ?? 0
}
