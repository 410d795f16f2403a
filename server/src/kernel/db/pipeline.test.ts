import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../test/app/test-app.ts'
import { connectDatabase, statements, type Database } from './database.ts'
import { statementName } from './statement-name.ts'

const t = useApp()
let one: Database
let orgA: string
let orgB: string

/** A single connection, so that state that one batch leaves behind would affect the next. */
beforeAll(() => {
  orgA = t.seed.orgs[0]?.org_id ?? ''
  orgB = t.seed.orgs[1]?.org_id ?? ''
  one = connectDatabase({
    appUrl: t.config.DATABASE_APP_URL,
    systemUrl: t.config.DATABASE_SYSTEM_URL,
    poolSize: 1,
  })
})
afterAll(() => one.close())

const compiled = (query: ReturnType<typeof sql>) => query.compile(statements)
const policy = (orgId: string, currency: string) =>
  statements
    .insertInto('approval_policies')
    .values({ org_id: orgId, currency, payout_from_minor: '1' })
    .compile()
const policies = statements.selectFrom('approval_policies').select(['org_id', 'currency']).compile()
const storedCurrencies = async (): Promise<string[]> => {
  const { rows } = await t.owner.query('select currency from approval_policies order by 1')
  return rows.map((row: { currency: string }) => row.currency)
}

describe('a batch', () => {
  it('returns the rows of each statement in order, including statements without rows', async () => {
    const results = await one.batchInOrg(orgA, [
      compiled(sql`select 1 as a union all select 2`),
      compiled(sql`update members set email = email where false`),
      compiled(sql`select ${'text'}::text as b, ${new Date(0)}::timestamptz as c, ${null}::text as d`),
    ])
    expect(results).toEqual([[{ a: 1 }, { a: 2 }], [], [{ b: 'text', c: new Date(0), d: null }]])
  })

  it('sends values of every kind and length as they are', async () => {
    const values = [
      Buffer.from([0, 1, 255]),
      'ü€😀'.repeat(50_000),
      '',
      null,
      7,
      12n,
      true,
      ['a', 'b "c"', null],
    ]
    const [bytes, text, ...others] = values
    const echo = compiled(sql`select ${bytes}::bytea as bytes, ${text}::text as text`)
    const rest = others.map((value, index) => compiled(sql`select ${value} as ${sql.ref(`v${index}`)}`))
    for (let time = 0; time < 2; time++) {
      const [first, ...more] = await one.batchInOrg(orgA, [echo, ...rest])
      expect(first).toEqual([{ bytes, text }])
      expect(more.flat()).toEqual([
        { v0: '' },
        { v1: null },
        { v2: '7' },
        { v3: '12' },
        { v4: 'true' },
        { v5: '{"a","b \\"c\\"",NULL}' },
      ])
    }
  })

  it('returns one result for a single statement, and none for an empty batch', async () => {
    expect(await one.batchAcrossOrgs([compiled(sql`select 1 as a`)])).toEqual([[{ a: 1 }]])
    expect(await one.batchInOrg(orgA, [])).toEqual([])
  })

  it('sees one organisation, and leaves no scope behind', async () => {
    await one.batchInOrg(orgA, [policy(orgA, 'AAA')])
    expect(await one.batchInOrg(orgA, [policies])).toEqual([[{ org_id: orgA, currency: 'AAA' }]])
    expect(await one.batchInOrg(orgB, [policies])).toEqual([[]])
    const { rows } = await one.inOrg(orgB, (tx) =>
      sql<{ n: bigint }>`select count(*) as n from approval_policies`.execute(tx.db),
    )
    expect(rows).toEqual([{ n: 0n }])
    const scope = compiled(sql`select current_setting('app.org_id', true) as scope`)
    expect(await one.batchAcrossOrgs([scope])).toEqual([[{ scope: null }]])
    await one.batchInOrg(orgA, [policies])
    // The commit ends the transaction's own scope, so what remains is what the batch left on the connection.
    const remaining = await one.inOrg(orgB, async (tx) => {
      await sql`commit`.execute(tx.db)
      return tx.db.executeQuery(scope)
    })
    expect(remaining.rows).toEqual([{ scope: '' }])
  })

  it('cannot write for another organisation', async () => {
    await expect(one.batchInOrg(orgA, [policy(orgB, 'BBB')])).rejects.toThrow('row-level security')
    expect(await storedCurrencies()).not.toContain('BBB')
  })

  it('an error in any statement rolls back all, and the connection remains usable', async () => {
    const failing = compiled(sql`select 1 / ${0}::integer`)
    const before = await storedCurrencies()
    for (const batch of [
      [failing, policy(orgA, 'CCC')],
      [policy(orgA, 'CCC'), failing, policy(orgA, 'DDD')],
      [policy(orgA, 'CCC'), policy(orgA, 'DDD'), failing],
      [policy(orgA, 'CCC'), policy(orgA, 'CCC')],
    ])
      await expect(one.batchInOrg(orgA, batch)).rejects.toThrow(/division by zero|duplicate key/)
    expect(await storedCurrencies()).toEqual(before)
    await one.batchInOrg(orgA, [policy(orgA, 'CCC'), policy(orgA, 'DDD')])
    expect(await storedCurrencies()).toEqual([...before, 'CCC', 'DDD'])
  })

  it('statements that were not prepared because of an error are prepared the next time', async () => {
    const unseen = compiled(sql`select ${'x'}::text as never_prepared_before`)
    const wrong = compiled(sql`select nothing from nowhere`)
    await expect(one.batchInOrg(orgA, [wrong, unseen])).rejects.toThrow('nowhere')
    await expect(one.batchInOrg(orgA, [unseen, wrong])).rejects.toThrow('nowhere')
    for (let time = 0; time < 2; time++)
      expect(await one.batchInOrg(orgA, [unseen, unseen])).toEqual([
        [{ never_prepared_before: 'x' }],
        [{ never_prepared_before: 'x' }],
      ])
  })

  it('the same statement runs in a batch and in a transaction on one connection', async () => {
    const read = () => one.inOrg(orgA, (tx) => tx.db.executeQuery(policies))
    const inTransaction = (await read()).rows
    expect(await one.batchInOrg(orgA, [policies])).toEqual([inTransaction])
    expect((await read()).rows).toEqual(inTransaction)
  })

  it('a value that cannot be sent is refused before anything is sent', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    await expect(
      one.batchInOrg(orgA, [policy(orgA, 'EEE'), { ...policies, parameters: [circular] }]),
    ).rejects.toThrow('circular')
    expect(await storedCurrencies()).not.toContain('EEE')
  })

  it('a statement that failed to be prepared is not taken for prepared after later batches', async () => {
    const unseen = compiled(sql`select ${'x'}::text as prepared_after_the_others`)
    const wrong = compiled(sql`select nothing from nowhere_else`)
    await expect(one.batchInOrg(orgA, [wrong, unseen])).rejects.toThrow('nowhere_else')
    for (const name of ['one', 'two', 'three'])
      await one.batchInOrg(orgA, [compiled(sql`select 1 as ${sql.ref(name)}`)])
    expect(await one.batchInOrg(orgA, [unseen])).toEqual([[{ prepared_after_the_others: 'x' }]])
  })

  it('a statement of a transaction is not taken for one of the batch that failed before it', async () => {
    const unseen = compiled(sql`select ${'x'}::text as prepared_after_a_transaction`)
    await expect(
      one.batchInOrg(orgA, [compiled(sql`select nothing from nowhere_at_all`), unseen]),
    ).rejects.toThrow('nowhere_at_all')
    await one.inOrg(orgA, (tx) => sql`select ${1}::integer as of_the_transaction`.execute(tx.db))
    expect(await one.batchInOrg(orgA, [unseen])).toEqual([[{ prepared_after_a_transaction: 'x' }]])
  })

  /** Last, because every later statement of this process stays without a name. */
  it('an unnamed statement does not make the named one behind it count as prepared', async () => {
    const named = compiled(sql`select * from created_later`)
    statementName(named.sql)
    for (let count = 0; statementName(`filler ${count}`) !== undefined; count += 1);
    const unnamed = compiled(sql`select 1 as unnamed`)
    expect(statementName(unnamed.sql)).toBeUndefined()
    await expect(one.batchAcrossOrgs([unnamed, named])).rejects.toThrow('created_later')
    await t.owner.query('create table created_later (); grant select on created_later to public')
    expect(await one.batchAcrossOrgs([unnamed, named])).toEqual([[{ unnamed: 1 }], []])
  })
})
