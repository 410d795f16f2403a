import { expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import { makePartitionsAhead } from './partitions.ts'

const t = useDatabase()

it('the partitions of the coming months are made by the worker, once, and a row of each month finds its place', async () => {
  expect(await makePartitionsAhead(t.db)).toBe(0)
  // The first partition comes last, by its name.
  const { rows } = await t.owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
  )
  expect(rows.at(-1)?.name).toBe('events_first')
  await t.owner.query(`drop table ${rows.at(-2)?.name}`)
  expect(await makePartitionsAhead(t.db)).toBe(1)
  for (const months of [-30, 0, 1, 2, 3])
    await t.owner.query(
      `insert into events (org_id, event_id, event_type, resource_id, sequence, data)
       values ($1, uuidv7($2), 'transaction.updated', $1, 1, '{"test":true}')`,
      [newId(), `${months} months`],
    )
})

it('the role of the api cannot make partitions', async () => {
  const made = t.db.inOrg(newId(), (tx) => makePartitionsAhead({ ...t.db, readAcrossOrgs: tx.db }))
  await expect(made).rejects.toMatchObject({ code: '42501' })
})
