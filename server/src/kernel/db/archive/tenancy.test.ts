import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../../../test/app/test-database.ts'

const t = useDatabase()
const roles = ['switchyard_app', 'switchyard_system']
let partitions: string[]

const names = async (statement: string, values: unknown[] = []): Promise<string[]> =>
  (await t.owner.query<{ name: string }>(statement, values)).rows.map(({ name }) => name)

beforeAll(async () => {
  partitions = await names(
    'select oid::regclass::text as name from pg_class where relispartition and relkind = $1 order by 1',
    ['r'],
  )
})

describe('a partition', () => {
  it('is found', () => {
    expect(partitions).toEqual(expect.arrayContaining(['audit_log_first', 'events_first']))
    expect(partitions.length).toBeGreaterThan(8)
  })

  it('has row level security, enabled and forced, and no policy', async () => {
    const open = `select c.oid::regclass::text as name from pg_class c
      where c.oid = any($1::regclass[]) and (not (c.relrowsecurity and c.relforcerowsecurity)
        or exists (select from pg_policy where polrelid = c.oid))`
    expect(await names(open, [partitions])).toEqual([])
  })

  it('gives no right to a role of the processes', async () => {
    const granted = `select name from unnest($1::text[]) as name, unnest($2::text[]) as role
      where has_table_privilege(role, name, 'select, insert, update, delete, truncate, references, trigger, maintain')
        or has_any_column_privilege(role, name, 'select, insert, update, references')`
    expect(await names(granted, [partitions, roles])).toEqual([])
    const client = await t.owner.connect()
    for (const role of roles)
      for (const partition of partitions) {
        await client.query(`begin; set local role ${role}`)
        await expect(client.query(`select from ${partition}`)).rejects.toMatchObject({ code: '42501' })
        await client.query('rollback')
      }
    client.release()
  })
})
