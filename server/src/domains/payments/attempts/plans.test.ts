import { expect, it } from 'vitest'
import { useApp } from '../../../../test/app/test-app.ts'

const t = useApp()

it('a plan that was made while the table was new finds an attempt by its primary key', async () => {
  const client = await t.owner.connect()
  try {
    // Connections keep a plan until the table is analyzed, which takes Postgres a minute or more.
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(
      `prepare of_one (uuid, uuid, integer) as
       update attempts set inquiries = 0 where org_id = $1 and payment_id = $2 and attempt_no = $3`,
    )
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      'explain execute of_one (gen_random_uuid(), gen_random_uuid(), 1)',
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('attempts_pkey')
  } finally {
    client.release(true)
  }
})
