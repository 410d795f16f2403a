import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { explainQuery } from '../../../../test/sql/explain-query.ts'
import { exportCsv } from '../../../../test/files/export-csv.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { purgeRequests } from './purge-requests.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
const path = '/v1/request-log'
let org: OrgPayments
let key: Json
let paymentId: string
beforeAll(async () => {
  org = await openPayments(t)
  key = (await org.call('POST', '/v1/public/api-keys', { name: 'Robot' })).body.data
  paymentId = await org.start(mobileMoneyPayin())
  const robot = { as: key.api_key }
  await t.call('GET', `/v1/payments/${paymentId}`, { ...robot, headers: { 'x-request-id': 'by-the-robot' } })
  await t.call('GET', `/v1/payments/${newId()}`, robot)
  await t.call('GET', '/v1/transactions?client_reference=secret-query-value', robot)
  await t.call('POST', '/v1/payments-init/initiate', { ...robot, body: { amount: 'a lot' } })
})

const list = async (query = '', as = org.credential): Promise<CallAnswer> => {
  await t.deps.requestLog.flush()
  return t.call('GET', `${path}${query}`, { as })
}
const rowsOf = async (query: string): Promise<Json[]> => {
  const answer = await list(`?limit=100${query}`)
  expect(answer.status).toBe(200)
  return answer.body.data
}

describe('200', () => {
  it('shows a request with its route, status, duration and credential', async () => {
    expect(await rowsOf('&request_id=by-the-robot')).toEqual([
      {
        entry_id: expect.any(String),
        org_id: org.orgId,
        method: 'GET',
        route: '/v1/payments/:payment_id',
        status: 200,
        code: null,
        duration_ms: expect.any(Number),
        request_id: 'by-the-robot',
        user_id: key.user_id,
        credential: 'api_key',
        api_key_id: key.api_key_id,
        created_at: expect.any(String),
      },
    ])
  })

  it('shows the code of an error, of a validation too', async () => {
    const rows = await rowsOf('&status_class=4xx')
    expect(rows.map(({ status, code, route }) => [status, code, route])).toEqual([
      [400, 'VALIDATION_ERROR', '/v1/payments-init/initiate'],
      [404, 'NOT_FOUND', '/v1/payments/:payment_id'],
    ])
  })

  it('holds no body, no query, no value of a path and no key', async () => {
    await t.call('POST', '/v1/payments-init/initiate', { as: key.api_key, body: cardPayin() })
    await t.deps.requestLog.flush()
    const { rows } = await t.owner.query<{ line: string }>('select line::text as line from request_log line')
    const text = rows.map(({ line }) => line).join('\n')
    for (const secret of [paymentId, 'secret-query-value', '4242424242424242', '256783456789', key.api_key])
      expect(text).not.toContain(secret)
    expect(rows.length).toBeGreaterThan(5)
  })

  it.each([
    ['status=404', ({ status }: Json) => status === 404],
    ['status_class=2xx', ({ status }: Json) => status < 300],
    ['method=POST', ({ method }: Json) => method === 'POST'],
    ['route=/v1/payments/:payment_id', ({ route }: Json) => route === '/v1/payments/:payment_id'],
  ])('filtered by %s', async (filter, matches) => {
    const found = await rowsOf(`&${filter}`)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(matches)).toBe(true)
  })

  it('filtered by key, member and time', async () => {
    const byKey = await rowsOf(`&api_key_id=${key.api_key_id}`)
    expect(byKey.every(({ api_key_id }) => api_key_id === key.api_key_id)).toBe(true)
    expect(byKey.length).toBeGreaterThan(3)
    expect(await rowsOf('&user_id=nobody')).toEqual([])
    const [entry] = await rowsOf('&request_id=by-the-robot')
    const later = await rowsOf(`&from=${entry.created_at}`)
    expect(later.some(({ entry_id }) => entry_id === entry.entry_id)).toBe(true)
    expect(later.every(({ created_at }) => created_at >= entry.created_at)).toBe(true)
    const earlier = await rowsOf(`&to=${entry.created_at}`)
    expect(earlier.every(({ created_at }) => created_at < entry.created_at)).toBe(true)
  })

  it('pages, newest first, and exports as CSV', async () => {
    const all = await rowsOf(`&api_key_id=${key.api_key_id}`)
    const filter = `?limit=2&api_key_id=${key.api_key_id}`
    const first = (await list(filter)).body
    const next = (await list(`${filter}&last_evaluated_key=${first.meta.last_evaluated_key}`)).body
    expect([...first.data, ...next.data]).toEqual(all.slice(0, 4))
    const csv = await exportCsv(t, `${path}?api_key_id=${key.api_key_id}`, org.credential)
    expect(csv).toHaveLength(all.length + 1)
  })

  it('a request that nobody is known for is not recorded', async () => {
    await t.call('GET', '/v1/transactions', { as: `sy_test_${'x'.repeat(40)}` })
    await t.deps.requestLog.flush()
    const { rowCount } = await t.owner.query(`select from request_log where status = 401`)
    expect(rowCount).toBe(0)
  })

  it('is read by its key', async () => {
    const plan = await explainQuery(
      t.owner,
      'select * from request_log where org_id = $1 order by created_at desc, entry_id desc limit 10',
      [org.orgId],
    )
    expect(plan).toContain('request_log_pkey')
  })

  it('the operator may read that of an organisation', async () => {
    const { body } = await list(`?org_id=${org.orgId}&limit=1`, t.seed.platformAdmin.api_key)
    expect(body.data[0].org_id).toBe(org.orgId)
  })
})

describe('400', () => {
  it.each([
    '?status_class=6xx',
    '?status=9',
    '?method=BREW',
    '?api_key_id=1',
    '?from=now',
    '?last_evaluated_key=x',
  ])('%s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  it.each([
    ['viewer', 403],
    ['staff', 403],
    ['org-admin', 200],
  ] as const)('%s: %i', async (role, status) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await list('', token)).status).toBe(status)
  })

  it('that of another organisation', async () => {
    const other = await openPayments(t)
    expect((await list(`?org_id=${org.orgId}`, other.credential)).status).toBe(403)
    const own: Json[] = (await list('?limit=100', other.credential)).body.data
    expect(own.every(({ org_id }) => org_id === other.orgId)).toBe(true)
  })
})

describe('the log itself', () => {
  it('is kept for seven days', async () => {
    await t.deps.requestLog.flush()
    const [kept, old] = [newId(), newId()]
    for (const [entryId, days] of [
      [kept, 6],
      [old, 8],
    ])
      await t.owner.query(
        `insert into request_log (org_id, entry_id, method, route, status, duration_us, request_id, user_id, credential, created_at)
         values ($1, $2, 'GET', '/old', 200, 1, 'old', 'u', 'jwt', now() - make_interval(days => $3))`,
        [org.orgId, entryId, days],
      )
    expect(await purgeRequests(t.deps)).toBe(1)
    const { rows } = await t.owner.query(`select entry_id from request_log where route = '/old'`)
    expect(rows).toEqual([{ entry_id: kept }])
  })

  it('a write that fails fails no request, and is counted', async () => {
    await t.deps.requestLog.flush()
    await t.owner.query('alter table request_log rename to elsewhere')
    try {
      expect((await org.call('GET', '/v1/users/me')).status).toBe(200)
      await expect(t.deps.requestLog.flush()).resolves.toBeUndefined()
    } finally {
      await t.owner.query('alter table elsewhere rename to request_log')
    }
    const metrics = await t.deps.metrics.registry.metrics()
    expect(metrics).toMatch(/switchyard_request_log_dropped_total [1-9]/)
  })

  it('an organisation cannot write or remove its entries', async () => {
    const attempt = (statement: string): Promise<unknown> =>
      t.deps.db.inOrg(org.orgId, async (tx) => {
        const { sql } = await import('kysely')
        return sql.raw(statement).execute(tx.db)
      })
    await expect(attempt('delete from request_log')).rejects.toThrow('permission denied')
    await expect(attempt(`update request_log set route = 'x'`)).rejects.toThrow('permission denied')
  })
})
