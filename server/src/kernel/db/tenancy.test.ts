import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberOf, useApp } from '../../../test/app/test-app.ts'

const t = useApp()
let app: pg.Client
let orgA: string
let orgB: string
/** Owns the rows that belong to the installation and that every organisation may read. */
const installation = '00000000-0000-0000-0000-000000000000'
/** Every tenant table, including those of future migrations; partitions have a test of their own. */
let tables: string[]

beforeAll(async () => {
  const [first, second] = t.seed.orgs
  orgA = first?.org_id ?? ''
  orgB = second?.org_id ?? ''
  for (const org of t.seed.orgs)
    await t.call('POST', '/v1/public/api-keys', {
      as: memberOf(org, 'org-admin').api_key,
      headers: { 'idempotency-key': 'tenancy' },
      body: { name: 'tenancy' },
    })
  app = new pg.Client({ connectionString: t.config.DATABASE_APP_URL })
  await app.connect()
  tables = await names(`
    select c.oid::regclass::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
})
afterAll(() => app.end())

async function names(statement: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await t.owner.query<{ name: string }>(statement, values)
  return rows.map((row) => row.name)
}

const countAs = async (client: pg.Client | pg.Pool, table: string, where = 'true'): Promise<number> =>
  Number((await client.query(`select count(*) as count from ${table} where ${where}`)).rows[0].count)

/** Runs in a transaction of the app role with this organisation in scope, and rolls it back. */
async function inScope<T>(orgId: string | undefined, work: () => Promise<T>): Promise<T> {
  await app.query('begin')
  if (orgId !== undefined) await app.query(`set local app.org_id = '${orgId}'`)
  try {
    return await work()
  } finally {
    await app.query('rollback')
  }
}

const ofTenants = `org_id <> '${installation}'`
const refused = '42501'
const codeOf = (statement: string, values: unknown[] = []): Promise<string> =>
  app.query(statement, values).then(
    (result) => `${result.rowCount ?? 0} rows`,
    (error: pg.DatabaseError) => error.code ?? String(error),
  )

describe('every table with org_id', () => {
  it('is found', () => {
    expect(tables).toEqual(
      expect.arrayContaining([
        'api_keys',
        'audit_log',
        'idempotent_calls',
        'members',
        'organizations',
        'outbox',
      ]),
    )
  })

  it('has row level security, enabled and forced', async () => {
    const open = `select c.oid::regclass::text as name from pg_class c
      where c.oid = any($1::regclass[]) and not (c.relrowsecurity and c.relforcerowsecurity)`
    expect(await names(open, [tables])).toEqual([])
  })

  it('shows one organisation to the app and all to the system, with no policy besides shared reads', async () => {
    const { rows } = await t.owner.query(
      `select polrelid::regclass::text as table, array(select rolname::text from pg_roles where oid = any(polroles)) as roles,
        polcmd as command, polpermissive as permissive,
        pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
      from pg_policy where polrelid = any($1::regclass[])`,
      [tables],
    )
    const own = '(org_id = current_org())'
    const app = { roles: ['switchyard_app'], permissive: true }
    const policies = [
      { ...app, command: '*', using: own, check: own },
      { roles: ['switchyard_system'], permissive: true, command: '*', using: 'true', check: 'true' },
    ]
    const shared = { ...app, command: 'r', using: `(org_id = '${installation}'::uuid)`, check: null }
    for (const table of tables) {
      const found = rows.filter((row) => row.table === table)
      for (const policy of policies) expect(found).toContainEqual({ table, ...policy })
      for (const policy of found)
        expect([...policies, shared].map((one) => ({ table, ...one }))).toContainEqual(policy)
    }
  })

  it('has a primary key that begins with org_id', async () => {
    const keyed = `select i.indrelid::regclass::text as name from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indisprimary and i.indrelid = any($1::regclass[]) and a.attname = 'org_id' order by 1`
    expect(await names(keyed, [tables])).toEqual(tables)
  })

  it('has org_id as a UUID that is never null', async () => {
    const loose = `select attrelid::regclass::text as name from pg_attribute
      where attrelid = any($1::regclass[]) and attname = 'org_id' and not (attnotnull and atttypid = 'uuid'::regtype)`
    expect(await names(loose, [tables])).toEqual([])
  })
})

describe('around the tables', () => {
  it('there is no view that reads with the rights of its owner', async () => {
    const views = `select oid::regclass::text as name from pg_class
      where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
        and has_table_privilege('switchyard_app', oid, 'select')
        and not coalesce('security_invoker=true' = any(reloptions), false)`
    expect(await names(views)).toEqual([])
  })

  it('one function runs with the rights of its owner, without parameters, for the system alone', async () => {
    const functions = `select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef`
    expect(await names(functions)).toEqual(['make_partitions_ahead()'])
    const { rows } = await t.owner.query(
      `select has_function_privilege('switchyard_app', oid, 'execute') as app,
        has_function_privilege('switchyard_system', oid, 'execute') as system, proconfig as settings
      from pg_proc where proname = 'make_partitions_ahead'`,
    )
    expect(rows).toEqual([
      {
        app: false,
        system: true,
        settings: ['search_path=pg_catalog, public, pg_temp', 'lock_timeout=100ms'],
      },
    ])
  })
})

describe.each(['switchyard_app', 'switchyard_system'])('the role %s', (role) => {
  it('has no privileged attribute', async () => {
    const { rows } = await t.owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = $1`,
      [role],
    )
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
      },
    ])
  })

  it('owns nothing and is a member of nothing', async () => {
    const owned = `select pg_describe_object(classid, objid, objsubid) as name from pg_shdepend
      where refobjid = $1::regrole and deptype = 'o' and dbid = (select oid from pg_database where datname = current_database())`
    const groups = `select roleid::regrole::text as name from pg_auth_members where member = $1::regrole`
    expect([...(await names(owned, [role])), ...(await names(groups, [role]))]).toEqual([])
  })

  it('cannot truncate a table or create a trigger on it, which row level security does not cover', async () => {
    const may = `select name from unnest($1::text[]) as name
      where has_table_privilege($2, name, 'truncate') or has_table_privilege($2, name, 'trigger')
         or has_table_privilege($2, name, 'references')`
    expect(await names(may, [tables, role])).toEqual([])
  })
})

describe('the app role', () => {
  it.each([
    'create table public.mine (id int)',
    'create schema mine',
    'create function public.mine() returns int language sql return 1',
    'create role mine',
    'set role postgres',
    'set role switchyard_system',
    'set session authorization postgres',
    'alter table members disable row level security',
    'alter table members no force row level security',
    'drop policy one_organisation on members',
    'create policy everything on members using (true)',
    'drop table members',
    'grant switchyard_system to switchyard_app',
    'alter role switchyard_app bypassrls',
    'select * from migrations',
    `copy members to '/tmp/members'`,
  ])('cannot %s', async (statement) => {
    expect(await inScope(orgA, () => codeOf(statement))).toBe(refused)
  })

  it('cannot switch row level security off for its session', async () => {
    const code = await inScope(orgA, async () => {
      await app.query('set local row_security = off')
      return codeOf('select * from members')
    })
    expect(code).toBe(refused)
  })
})

describe('without an organisation in scope', () => {
  it('the app sees no row of any tenant in any table', async () => {
    const seen = await inScope(undefined, async () => {
      const counts: [string, number][] = []
      for (const table of tables) counts.push([table, await countAs(app, table, ofTenants)])
      return counts
    })
    expect(seen).toEqual(tables.map((table) => [table, 0]))
    expect(await countAs(t.owner, 'members')).toBeGreaterThan(0)
  })

  it.each(['', 'x', '%', '00000000-0000-0000-0000-000000000000'])('nor with the scope %j', async (scope) => {
    const seen = await inScope(undefined, async () => {
      await app.query(`select set_config('app.org_id', $1, true)`, [scope])
      return codeOf('select * from members')
    })
    expect(['0 rows', '22P02']).toContain(seen)
  })
})

describe('with one organisation in scope', () => {
  it('the app sees all of its rows and none of another, in every table', async () => {
    // These write behind the requests, so a row could appear between the two counts.
    await Promise.all([t.deps.requestLog.flush(), t.deps.personalReads.flush()])
    const expected: [string, number, number][] = []
    for (const table of tables) expected.push([table, await countAs(t.owner, table, `org_id = '${orgA}'`), 0])
    const seen = await inScope(orgA, async () => {
      const counts: [string, number, number][] = []
      for (const table of tables)
        counts.push([
          table,
          await countAs(app, table, `org_id = '${orgA}'`),
          await countAs(app, table, `org_id <> '${orgA}' and ${ofTenants}`),
        ])
      return counts
    })
    expect(seen).toEqual(expected)
    expect(expected.filter(([, own]) => own > 0).map(([table]) => table)).toEqual(
      expect.arrayContaining([
        'api_keys',
        'audit_log',
        'idempotent_calls',
        'members',
        'notifications',
        'organizations',
        'outbox',
      ]),
    )
  })

  it('the app can neither insert a row into another organisation nor move one there', async () => {
    for (const table of tables) {
      const { rows } = await t.owner.query(
        `select to_jsonb(x) as row from ${table} x where org_id = $1 limit 1`,
        [orgB],
      )
      if (rows.length === 0) continue
      const columns = await names(
        `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
        [table],
      )
      const insert = `insert into ${table} (${columns.join()}) select ${columns.join()} from jsonb_populate_record(null::${table}, $1)`
      expect([table, await inScope(orgA, () => codeOf(insert, [rows[0].row]))]).toEqual([table, refused])
      const move = `update ${table} set org_id = '${orgB}' where org_id = '${orgA}'`
      expect([table, await inScope(orgA, () => codeOf(move))]).toEqual([table, refused])
    }
  })

  it('the app can neither change nor delete a row of another organisation', async () => {
    for (const table of tables)
      for (const statement of [
        `update ${table} set org_id = org_id where org_id = '${orgB}'`,
        `delete from ${table} where org_id = '${orgB}'`,
      ])
        expect(['0 rows', refused], `${statement}`).toContain(await inScope(orgA, () => codeOf(statement)))
  })

  it.each(['update audit_log set action = action', 'delete from audit_log'])(
    'the log stays as it is: %s',
    async (statement) => {
      expect(await inScope(orgA, () => codeOf(statement))).toBe(refused)
    },
  )
})
