import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../test/app/test-app.ts'
import { connectDatabase, statements, type Database } from './database.ts'

const t = useApp()
let db: Database
let orgId: string

beforeAll(() => {
  orgId = t.seed.orgs[0]?.org_id ?? ''
  db = connectDatabase({
    appUrl: t.config.DATABASE_APP_URL,
    systemUrl: t.config.DATABASE_SYSTEM_URL,
    poolSize: 2,
  })
})
afterAll(() => db.close())

it('a batch reads the columns that a table has now, not those that its connection saw before', async () => {
  await t.owner.query(`create table changing (first text, second text); grant select on changing to public;
    insert into changing values ('1', 'two')`)
  const rows = statements
    .selectFrom(sql.table<Record<string, unknown>>('changing').as('changing'))
    .selectAll()
    .compile()
  const read = async () =>
    (await Promise.all([db.batchInOrg(orgId, [rows]), db.batchInOrg(orgId, [rows])])).flat(2)
  const both = (row: object) => [row, row]
  expect(await read()).toEqual(both({ first: '1', second: 'two' }))
  await t.owner.query('alter table changing alter column first type integer using first::integer')
  expect(await read()).toEqual(both({ first: 1, second: 'two' }))
  await t.owner.query(`alter table changing drop column first, add column third text default 'three'`)
  expect(await read()).toEqual(both({ second: 'two', third: 'three' }))
  await t.owner.query('alter table changing rename column third to fourth')
  expect(await read()).toEqual(both({ second: 'two', fourth: 'three' }))
  await t.owner.query('drop table changing')
})

const organizations = statements.selectFrom('organizations').selectAll().orderBy('org_id').compile()
const everyWay: Record<string, () => Promise<number>> = {
  inOrg: () => db.inOrg(orgId, async (tx) => (await tx.db.executeQuery(organizations)).rows.length),
  acrossOrgs: () => db.acrossOrgs(async (tx) => (await tx.db.executeQuery(organizations)).rows.length),
  batchInOrg: async () => (await db.batchInOrg(orgId, [organizations]))[0]?.length ?? 0,
  batchAcrossOrgs: async () => (await db.batchAcrossOrgs([organizations]))[0]?.length ?? 0,
  readAcrossOrgs: async () => (await db.readAcrossOrgs.executeQuery(organizations)).rows.length,
}

it.each(Object.entries(everyWay))(
  'a column that the next release adds does not fail the statements of this one: %s',
  async (name, read) => {
    // Twice at once, so that both connections have prepared the statement.
    const before = await Promise.all([read(), read(), read(), read()])
    await t.owner.query(`alter table organizations add column "added_${name}" text`)
    expect(await Promise.all([read(), read(), read(), read()])).toEqual(before)
    await t.owner.query(`alter table organizations drop column "added_${name}"`)
    expect(await Promise.all([read(), read(), read(), read()])).toEqual(before)
  },
)
