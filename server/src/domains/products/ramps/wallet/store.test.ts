import { expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { recordStatements } from '../../../../../test/sql/record-statements.ts'
import { useDatabase } from '../../../../../test/app/test-database.ts'
import { sumOpenTransfersAcrossOrgs } from './store.ts'

const t = useDatabase()
const from = '0x00000000000000000000000000000000000000a1'
const token = '0x00000000000000000000000000000000000000b2'

it('what a wallet has promised is read from its open transfers, however many it has made', async () => {
  await t.owner.query(
    `insert into wallet_transfers
       (org_id, reference, chain_id, token, from_address, to_address, amount_minor, nonce, state)
     select $1, gen_random_uuid(), 8453, $2, $3, $3, 10, i, case when i > 4997 then 'open' else 'confirmed' end
     from generate_series(1, 5000) i`,
    [newId(), token, from],
  )
  await t.owner.query('vacuum (analyze) wallet_transfers')
  const { result, statements } = await recordStatements(() =>
    t.db.acrossOrgs((tx) => sumOpenTransfersAcrossOrgs(tx, { chainId: 8453, token, from })),
  )
  expect(result).toBe(30n)
  const client = await t.owner.connect()
  try {
    // As after a few executions on a connection, when the plan no longer depends on the values.
    await client.query('begin')
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare sums as ${statements[0]?.text}`)
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) execute sums (8453, '${token}', '${from}')`,
    )
    expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(10)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
