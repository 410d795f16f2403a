import { describe, expect, it } from 'vitest'
import { checkTableOwners } from './check-tables.ts'
import { repositoryOf, type Repository } from './repository.ts'
import { declaredReaders, tableOwners } from './table-owners.ts'

const domains = 'server/src/domains'

function holding(path: string, text: string): Repository {
  return repositoryOf([{ path, text }])
}

describe('a table that belongs to another', () => {
  const path = `${domains}/compliance/kyb/store.ts`

  it.each([
    "db.selectFrom('organizations')",
    "db.selectFrom('organizations as o')",
    "db.selectFrom(['kyb_inbox', 'organizations as o'])",
    "db.selectFrom('kyb_inbox').innerJoin('organizations', 'a', 'b')",
    "db.updateTable('kyb_inbox').from('organizations')",
    'sql`select 1 from kyb_inbox k join organizations o on true`',
    'sql`select 1 from kyb_inbox k, organizations o`',
    'sql<Row>`with found as (select * from organizations) select 1 from found`',
    'sql`select 1 from ${sql.table("organizations")}`',
    "client.query('select name from organizations')",
  ])('may not be read: %s', (text) => {
    expect(checkTableOwners(holding(path, `export const rows = ${text}`))).toEqual([
      `${path}:1 reads organizations, which belongs to domains/people/organizations; call an operation of its owner, or declare the reader in tools/src/architecture/table-owners.ts`,
    ])
  })

  it.each([
    "db.insertInto('organizations')",
    "db.updateTable('organizations')",
    "db.deleteFrom('organizations')",
    'sql`update organizations set name = 1`',
    'sql`insert into organizations (name) select 1`',
    'sql`with gone as (delete from organizations returning 1) select 1 from gone`',
  ])('may not be written: %s', (text) => {
    expect(checkTableOwners(holding(path, `export const rows = ${text}`))).toEqual([
      `${path}:1 writes organizations, which belongs to domains/people/organizations; only its owner writes it`,
    ])
  })

  it.each([
    "db.selectFrom('kyb_inbox as organizations_seen')",
    'sql`select extract(epoch from created_at) from kyb_inbox for update`',
    'sql`insert into kyb_inbox (a) values (1) on conflict (a) do update set a = 2`',
    "export const message = 'Remove it from organizations'",
    '// select 1 from organizations',
  ])('is not meant by %s', (text) => {
    expect(checkTableOwners(holding(path, text))).toEqual([])
  })
})

describe('who may name a table', () => {
  it.each([
    [`${domains}/people/organizations/store.ts`, "db.updateTable('members')"],
    [`${domains}/people/organizations/members/store.ts`, "db.updateTable('organizations')"],
    ['server/src/kernel/engine/outbox.ts', "db.deleteFrom('outbox')"],
    [`${domains}/payments/reads/timeline/store.ts`, "db.selectFrom('ledger_transfers')"],
    ['server/src/kernel/ledger/audit-escrow.ts', 'sql`select 1 from escrow_shares`'],
    [`${domains}/compliance/kyb/store.test.ts`, "db.deleteFrom('organizations')"],
    ['server/test/database.ts', "db.deleteFrom('organizations')"],
  ])('%s: %s', (path, text) => {
    expect(checkTableOwners(holding(path, `export const rows = ${text}`))).toEqual([])
  })

  it('a declared reader does not write', () => {
    const path = `${domains}/payments/reads/timeline/store.ts`
    expect(checkTableOwners(holding(path, "export const rows = db.insertInto('events')"))).toEqual([
      `${path}:1 writes events, which belongs to domains/events/webhooks; only its owner writes it`,
    ])
  })

  it('a name that is only known at run time is refused', () => {
    const text = 'export const rows = sql`select 1 from ${sql.table(name)}`'
    expect(checkTableOwners(holding(`${domains}/compliance/kyb/store.ts`, text))).toEqual([
      `${domains}/compliance/kyb/store.ts:1 puts a table's name into SQL at run time; write it out`,
    ])
    expect(checkTableOwners(holding(`${domains}/records/data-keys/store.ts`, text))).toEqual([])
  })
})

describe('the list of owners', () => {
  const schema = (tables: readonly string[]): Repository =>
    holding(
      'server/src/kernel/db/generated/schema.ts',
      `export interface DB {\n${tables.map((table) => `  ${table}: Row\n`).join('')}}\n`,
    )

  it('names every table of the database and no other', () => {
    const tables = Object.keys(tableOwners)
    expect(checkTableOwners(schema(tables))).toEqual([])
    expect(checkTableOwners(schema([...tables, 'strays']))).toEqual([
      'tools/src/architecture/table-owners.ts:1 names no owner of the table strays',
    ])
    expect(checkTableOwners(schema(tables.filter((table) => table !== 'outbox')))).toEqual([
      'tools/src/architecture/table-owners.ts:1 names an owner of outbox, which is no table',
    ])
  })

  it('a reader gives a reason and names tables that exist', () => {
    for (const { tables, why } of declaredReaders) {
      expect(why).not.toBe('')
      if (tables !== 'all') expect(Object.keys(tableOwners)).toEqual(expect.arrayContaining([...tables]))
    }
  })
})
