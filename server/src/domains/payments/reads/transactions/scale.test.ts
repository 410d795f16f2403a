import pg from 'pg'
import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { openOrganization, type OpenedOrganization } from '../../../../../test/app/people.ts'
import { recordStatements, type RecordedStatement } from '../../../../../test/sql/record-statements.ts'
import { fillSearchable } from '../../../../../test/worlds/searchable-payments.ts'
import { credentialHeaders, useApp, type Json } from '../../../../../test/app/test-app.ts'
import { createTermHash } from '../search/rules.ts'

/** `npm run search:scale` sets two million; SEARCH_PAYMENTS overrides it. */
const count = Number(process.env['SEARCH_PAYMENTS'] ?? 5_000)
/** The time limits apply from this size on; a machine that runs all tests concurrently is slow. */
const fullSize = 1_000_000
const limitMs = 50
/** The test of late changes updates 110,000 of ten million payments. */
const updateLimitMs = 600_000
const rounds = 15
const dayMs = 24 * 60 * 60_000
const yearMs = 365 * dayMs
const largeTables = ['payments', 'attempts', 'payment_search_terms']

const t = useApp()
let org: OpenedOrganization
/** An API key, because filling millions of rows takes longer than a token lives. */
let key: string
beforeAll(async () => {
  org = await openOrganization(t)
  const made = await t.call('POST', '/v1/public/api-keys', { as: org.admin.token, body: { name: 'scale' } })
  key = made.body.data.api_key
  const hash = createTermHash(t.deps.searchKey, org.orgId)
  await fillSearchable(t.owner, {
    orgId: org.orgId,
    count,
    from: new Date(Date.now() - yearMs).toISOString(),
    secondsBetween: yearMs / 1000 / count,
    commonTerm: hash('name', 'mary'),
  })
}, 7_200_000)

const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()
const cases: readonly string[] = [
  '',
  'status=completed',
  'status=failed',
  'status=rejected',
  'status=initiated',
  'status=rejected,initiated,canceled',
  'country=SN',
  'country=KE',
  'currency=XOF',
  'provider=circle',
  'provider=paystack&status=failed',
  'method=crypto',
  'direction=outbound&country=GB',
  'status=rejected&country=GB&provider=stripe',
  'client_reference=order-77',
  'beneficiary_id=00000000-0000-0000-0000-000000000000',
  'currency=KES&min_amount=5000&max_amount=5001',
  'currency=KES&min_amount=5000',
  'currency=KES&min_amount=1&max_amount=1',
  'currency=KES&min_amount=5000&status=rejected',
  `updated_since=${ago(0.01)}`,
  `updated_since=${ago(20)}`,
  `updated_since=${ago(200)}&status=rejected`,
  `from=${ago(300)}&to=${ago(299)}&status=failed`,
  'q=order-1234',
  'q=order-',
  'q=ref_77',
  'q=1234.56',
  'q=0712345678',
  'q=someone@example.com',
  'q=Mary',
  'q=Mary+Moraa',
  'q=Mary&status=rejected',
]

async function list(query: string): Promise<Json> {
  const answer = await request(`${t.url}/v1/transactions?limit=50&${query}`, {
    headers: credentialHeaders(key),
  })
  expect(answer.statusCode).toBe(200)
  return answer.body.json()
}

describe(`among ${count} payments`, () => {
  it.each(cases)('%s is served by an index, and in time at full size', async (query) => {
    const { result, statements } = await recordStatements(() => list(query))
    expect(await findSequentialScans(statements)).toEqual([])
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      await list(query)
      times.push(performance.now() - began)
    }
    if (count < fullSize) return
    const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Infinity
    process.stdout.write(`${median.toFixed(1)} ms, ${result.data.length} rows: ${query}\n`)
    expect(median).toBeLessThan(limitMs)
  })

  it(
    'a filter that no late change passes reads none of them',
    async () => {
      await t.owner.query(
        `update payments set updated_at = created_at + interval '50 days' where org_id = $1 and status = 'failed'
       and created_at > now() - interval '140 days' and created_at < now() - interval '90 days'`,
        [org.orgId],
      )
      const late = `updated_since=${ago(95)}&to=${ago(100)}`
      const { result, statements } = await recordStatements(() => list(`${late}&status=rejected`))
      expect(result.data).toEqual([])
      expect(await countRowsRead(statements)).toBe(0)
      const found = (await list(`${late}&status=failed`)).data
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
    const { result, statements } = await recordStatements(() => list('q=Mary&status=rejected'))
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
      const listed = (await list(`status=${status}`)).data.map((row: Json) => row.payment_id)
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
