import type pg from 'pg'
import { growingTables } from '../../src/kernel/db/archive/growing-tables.ts'

/** Gives each partitioned table a partition for each of the last months; what is older stays in its first one. */
export async function makeOldMonths(owner: pg.Pool | pg.Client, months: number): Promise<void> {
  for (const table of Object.keys(growingTables)) {
    await owner.query(`alter table ${table} detach partition ${table}_first`)
    const { rows } = await owner.query<{ start: string }>(
      `select first_id_at((date_trunc('month', now() at time zone 'UTC') - n * interval '1 month') at time zone 'UTC') as start
       from generate_series($1::integer, 1, -1) n`,
      [months],
    )
    for (const { start } of rows) await owner.query('select add_partition($1::regclass, $2)', [table, start])
    await owner.query(
      `alter table ${table} attach partition ${table}_first for values from (minvalue) to ('${rows[0]?.start}')`,
    )
  }
}

/** Inserts events of so many months ago, and entries of the audit log. */
export async function fillMonth(
  owner: pg.Pool | pg.Client,
  {
    orgId,
    monthsAgo,
    count,
    data = '{"test":true}',
  }: { orgId: string; monthsAgo: number; count: number; data?: string },
): Promise<void> {
  const at = `(date_trunc('month', now() at time zone 'UTC') - $2 * interval '1 month' + n * interval '1 minute') at time zone 'UTC'`
  await owner.query(
    `insert into events (org_id, event_id, event_type, resource_id, sequence, data, created_at)
     select $1, uuidv7(${at} - clock_timestamp()), 'transaction.updated', uuidv7(${at} - clock_timestamp()), 1,
       $4, ${at}
     from generate_series(1, $3::integer) n`,
    [orgId, monthsAgo, count, data],
  )
  await owner.query(
    `insert into audit_log (org_id, audit_id, user_id, credential, action, resource_type, resource_id, ip, request_id,
       created_at)
     select $1, uuidv7(${at} - clock_timestamp()), 'x', 'jwt', 'x.y', 'x', '', 'x', 'x', ${at}
     from generate_series(1, $3::integer) n`,
    [orgId, monthsAgo, count],
  )
}
