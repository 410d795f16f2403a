import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealEntries } from '../../../domains/records/audit-log/blocks/seal-entries.ts'
import { fillMonth, makeOldMonths } from '../../../../test/worlds/old-months.ts'
import { recordStatements, type RecordedStatement } from '../../../../test/sql/record-statements.ts'
import {
  mobileMoneyPayin,
  paymentsOf,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { growingTables } from './growing-tables.ts'

const t = usePayments()
const monthsBack = 24
const names = Object.keys(growingTables).join('|')
const readsGrowing = new RegExp(`\\b(?:from|join|update)\\s+"?(?:${names})"?\\b`, 'i')
const partition = new RegExp(`^(?:${names})_(?:first|\\d{4}_\\d{2})$`)
const isOld = (name: string): boolean =>
  name.endsWith('_first') || name.slice(-7).replace('_', '-') < thisMonth
const thisMonth = new Date().toISOString().slice(0, 7)
let org: OrgPayments
let paymentId: string

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Actual Loops'?: number
  'Actual Rows'?: number
  Plans?: Plan[]
}

beforeAll(async () => {
  const [seeded] = t.seed.orgs
  await makeOldMonths(t.owner, monthsBack)
  org = paymentsOf(t, seeded?.org_id ?? '', t.admin)
  for (let monthsAgo = 1; monthsAgo <= monthsBack; monthsAgo += 1)
    await fillMonth(t.owner, { orgId: org.orgId, monthsAgo, count: 60 })
  paymentId = await org.start(mobileMoneyPayin())
  await org.advance(paymentId)
  await t.owner.query('analyze')
  await sealEntries(t.deps)
}, 60_000)

/** The statements of a request, those of batches too, that read a partitioned table. */
async function statementsOf(work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const batched: RecordedStatement[] = []
  const { db } = t.deps
  const original = { ...db }
  const note = (batch: readonly CompiledQuery[]): void =>
    void batched.push(...batch.map(({ sql, parameters }) => ({ text: sql, values: [...parameters] })))
  db.batchInOrg = (orgId, batch) => (note(batch), original.batchInOrg(orgId, batch))
  db.batchAcrossOrgs = (batch) => (note(batch), original.batchAcrossOrgs(batch))
  try {
    const { statements } = await recordStatements(work)
    return [...statements, ...batched].filter(({ text }) => readsGrowing.test(text))
  } finally {
    Object.assign(db, original)
  }
}

/** The partitions that a statement really reads, with a plan that does not know its values, as a busy connection has it. */
async function partitionsOf({ text, values }: RecordedStatement): Promise<(Plan & { name: string })[]> {
  const client = await t.owner.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare explained as ${text}`)
    const literals = values.map(literal).join(', ')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) execute explained${literals === '' ? '' : `(${literals})`}`,
    )
    return nodesOf(rows[0]?.['QUERY PLAN'][0].Plan).flatMap((node) => {
      const name = node['Relation Name'] ?? ''
      return partition.test(name) && (node['Actual Loops'] ?? 0) > 0 ? [{ ...node, name }] : []
    })
  } finally {
    await client.query('rollback; deallocate all')
    client.release()
  }
}

const nodesOf = (plan: Plan | undefined): Plan[] =>
  plan ? [plan, ...(plan.Plans ?? []).flatMap(nodesOf)] : []

// pg exports it, but its type definitions do not.
const { utils } = pg as typeof pg & { utils: { prepareValue: (value: unknown) => string | null } }
function literal(value: unknown): string {
  const text = utils.prepareValue(value)
  return text === null ? 'null' : pg.escapeLiteral(String(text))
}

const newestEvent = async (): Promise<string> =>
  (await t.owner.query('select event_id from events where resource_id = $1 limit 1', [paymentId])).rows[0]
    .event_id

describe('what is about one payment, event or entry reads no older month', () => {
  const requests: Record<string, () => Promise<unknown>> = {
    'a payment is initiated': () => org.start(mobileMoneyPayin()),
    'its record is read': () => org.record(paymentId),
    'its timeline is read': () => org.timeline(paymentId),
    'it is advanced by the engine': () => org.advance(paymentId),
    'an event is read': async () => org.call('GET', `/v1/public/webhooks/events/${await newestEvent()}`),
    'an event is replayed': async () =>
      org.call('POST', `/v1/public/webhooks/events/${await newestEvent()}/replay`, {}),
    'an entry of the audit log is proved': async () => {
      const { rows } = await t.owner.query(
        'select audit_id from audit_log where org_id = $1 order by audit_id desc limit 1',
        [org.orgId],
      )
      await org.call('GET', `/v1/organizations/${org.orgId}/audit-log/${rows[0].audit_id}/proof`)
    },
    'entries are sealed': () => sealEntries(t.deps),
  }

  it.each(Object.keys(requests))('%s', async (name) => {
    const statements = await statementsOf(async () => requests[name]?.())
    for (const statement of statements) {
      const read = await partitionsOf(statement)
      expect({ text: statement.text, old: read.map((node) => node.name).filter(isOld) }).toEqual({
        text: statement.text,
        old: [],
      })
    }
  })

  it('and they were seen', async () => {
    expect(await statementsOf(() => org.timeline(paymentId))).toHaveLength(3)
  })
})

describe('a list reads of each month no more than a page, by its index', () => {
  const lists: Record<string, string> = {
    events: '/v1/public/webhooks/events?limit=20',
    'events of a type': '/v1/public/webhooks/events?limit=20&event_type=transaction.updated',
    'the audit log': '/v1/organizations/ORG/audit-log?limit=20',
  }

  it.each(Object.entries(lists))('%s', async (_name, path) => {
    const url = path.replace('ORG', org.orgId)
    let last: string | undefined
    for (const page of ['first', 'second']) {
      const statements = await statementsOf(async () => {
        const cursor = last === undefined ? '' : `&last_evaluated_key=${encodeURIComponent(last)}`
        const { status, body } = await org.call('GET', `${url}${cursor}`)
        expect(status).toBe(200)
        last = body.last_evaluated_key ?? body.meta.last_evaluated_key
      })
      expect([page, statements.length > 0]).toEqual([page, true])
      for (const { text, values } of statements) {
        const unbounded = (await partitionsOf({ text, values })).filter(
          (node) =>
            !node['Node Type'].startsWith('Index') ||
            !node['Index Cond']?.includes('org_id') ||
            (node['Actual Rows'] ?? 0) > 21,
        )
        expect({ text, unbounded }).toEqual({ text, unbounded: [] })
      }
    }
  })
})
