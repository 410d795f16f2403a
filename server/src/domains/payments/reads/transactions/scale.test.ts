import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordStatements, type RecordedStatement } from '../../../../../test/sql/record-statements.ts'
import {
  daysAgo,
  fillLimitMs,
  openSearchable,
  searchablePayments as count,
  searches,
  type SearchableOrganization,
} from '../../../../../test/worlds/searchable-organization.ts'
import { useApp, type Json } from '../../../../../test/app/test-app.ts'
import { createTermHash } from '../search/rules.ts'

/** The test of late changes updates 110,000 of ten million payments. */
const updateLimitMs = 600_000
const largeTables = ['payments', 'attempts', 'payment_search_terms']

const t = useApp()
let org: SearchableOrganization
beforeAll(async () => {
  org = await openSearchable(t)
}, fillLimitMs)

describe(`among ${count} payments`, () => {
  it.each(searches)('%s is served by an index', async (query) => {
    const { statements } = await recordStatements(() => org.list(query))
    expect(await findSequentialScans(statements)).toEqual([])
  })

  it(
    'a filter that no late change passes reads none of them',
    async () => {
      await t.owner.query(
        `update payments set updated_at = created_at + interval '50 days' where org_id = $1 and status = 'failed'
       and created_at > now() - interval '140 days' and created_at < now() - interval '90 days'`,
        [org.orgId],
      )
      const late = `updated_since=${daysAgo(95)}&to=${daysAgo(100)}`
      const { result, statements } = await recordStatements(() => org.list(`${late}&status=rejected`))
      expect(result.data).toEqual([])
      expect(await countRowsRead(statements)).toBe(0)
      const found = (await org.list(`${late}&status=failed`)).data
      expect(new Set(found.map((row: Json) => row.status))).toEqual(new Set(['failed']))
    },
    updateLimitMs,
  )

  it('a common name with a rare status reads the payments of that status only', async () => {
    const { rows } = await t.owner.query<{ payment_id: string }>(
      `select p.payment_id from payments p join payment_search_terms s using (org_id, payment_id)
       where p.org_id = $1 and p.status = 'rejected' and s.term = $2`,
      [org.orgId, createTermHash(t.deps.searchKey, org.orgId)('name', 'mary').toString()],
    )
    const { result, statements } = await recordStatements(() => org.list('q=Mary&status=rejected'))
    expect(new Set(result.data.map((row: Json) => row.payment_id))).toEqual(
      new Set(rows.map((row) => row.payment_id)),
    )
    // One rejected payment in a hundred thousand, read as a place, by its terms and once more to be shown.
    expect(await countRowsRead(statements)).toBeLessThanOrEqual(5 * (1 + Math.ceil(count / 100_000)))
  })

  it('a rare status has the same payments as a walk through all of them', async () => {
    for (const status of ['rejected', 'initiated', 'canceled']) {
      const { rows } = await t.owner.query<{ payment_id: string }>(
        `select payment_id from payments where org_id = $1 and status = $2 order by created_at desc, payment_id desc limit 50`,
        [org.orgId, status],
      )
      const listed = (await org.list(`status=${status}`)).data.map((row: Json) => row.payment_id)
      expect(listed).toEqual(rows.map((row) => row.payment_id))
    }
  })
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Explains as the api's own role, because row level security decides which conditions an index may serve. */
async function explain(statements: readonly RecordedStatement[], options = ''): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: t.config.DATABASE_APP_URL })
  await client.connect()
  try {
    await client.query(`begin; set local app.org_id = '${org.orgId}'`)
    // A table of a few pages is best read as a whole; with this, the plan is that of a large one.
    await client.query('set local enable_seqscan = off')
    const nodes: Plan[] = []
    for (const { text, values } of statements.filter((one) => /\bpayments\b|\battempts\b/.test(one.text))) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json${options}) ${text}`,
        values,
      )
      const plan = rows[0]?.['QUERY PLAN'][0].Plan
      nodes.push(...(plan ? nodesOf(plan) : []))
    }
    return nodes
  } finally {
    await client.end()
  }
}

async function findSequentialScans(statements: readonly RecordedStatement[]): Promise<string[]> {
  const nodes = await explain(statements)
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .flatMap((node) => node['Relation Name'] ?? [])
    .filter((table) => largeTables.includes(table))
}

/** Rows of payments that the list reads, from an index or the table, including those that it leaves out. */
async function countRowsRead(statements: readonly RecordedStatement[]): Promise<number> {
  const lists = statements.filter(({ text }) => text.includes('with page as'))
  const nodes = (await explain(lists, ', analyze')).filter((node) => node['Relation Name'] === 'payments')
  const rowsOf = (node: Plan): number =>
    ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0)
  return nodes.reduce((sum, node) => sum + rowsOf(node), 0)
}
