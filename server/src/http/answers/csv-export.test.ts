import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectRoutes, requestTo } from '../../../test/contract/every-route.ts'
import { fillPayments } from '../../../test/worlds/many-payments.ts'
import { addPerson, openOrganization, type OpenedOrganization } from '../../../test/app/people.ts'
import { credentialHeaders, useApp } from '../../../test/app/test-app.ts'

const t = useApp()
let org: OpenedOrganization
const payments = 20_000
beforeAll(async () => {
  org = await openOrganization(t)
  await fillPayments(t.owner, { orgId: org.orgId, count: payments, from: '2026-01-01T00:00:00Z' })
}, 120_000)

const ask = (path: string, as: string, accept = 'text/csv') =>
  request(`${t.url}${path}`, { headers: { ...credentialHeaders(as), accept } })

async function csv(path: string, as = org.admin.token): Promise<string[]> {
  const answer = await ask(path, as)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  return (await answer.body.text()).trimEnd().split('\r\n')
}

describe('200', () => {
  it('an export has every row once and in the order of the list, across many pages', async () => {
    const lines = await csv('/v1/transactions')
    const ids = lines.slice(1).map((line) => line.split(',')[0])
    expect(lines[0]).toContain('transaction_id,payment_id,org_id,user_id,status')
    expect(new Set(ids).size).toBe(payments)
    const { rows } = await t.owner.query<{ id: string }>(
      'select payment_id as id from payments where org_id = $1 order by created_at desc, payment_id desc limit 250',
      [org.orgId],
    )
    expect(ids.slice(0, 250)).toEqual(rows.map((row) => row.id))
  })

  it('an export takes the same filters as the list and has exact amounts', async () => {
    const lines = await csv('/v1/transactions?status=refunded&currency=UGX&limit=1')
    const { rows } = await t.owner.query(
      `select from payments where org_id = $1 and status = 'refunded' and currency = 'UGX'`,
      [org.orgId],
    )
    expect(lines.length - 1).toBe(rows.length)
    expect(lines[1]).toMatch(/,\d+\.0,UGX,/)
  })

  it('an export reads no further pages when the caller stops reading', async () => {
    const before = process.memoryUsage().rss
    const answer = await ask('/v1/transactions', org.admin.token)
    const taken = await answer.body[Symbol.asyncIterator]().next()
    expect(String(taken.value)).toContain('transaction_id')
    answer.body.destroy()
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    expect((await t.call('GET', '/v1/users/me', { as: org.admin.token })).status).toBe(200)
  })

  it.each(['application/json', '*/*', 'text/csvx'])('Accept: %s returns JSON', async (accept) => {
    const answer = await ask('/v1/transactions?limit=1', org.admin.token, accept)
    expect(answer.headers['content-type']).toContain('application/json')
    await answer.body.dump()
  })

  it('every paged list can be exported, including lists that are added later', async () => {
    const lists = (await collectRoutes(t)).filter(
      ({ method, parameters }) =>
        method === 'GET' && parameters.some(({ name }) => /^last_?evaluated_?key$/i.test(name)),
    )
    expect(lists.length).toBeGreaterThan(8)
    await t.owner.query(`update organizations set features = array['escrow'] where org_id = $1`, [org.orgId])
    const exported: string[] = []
    for (const route of lists) {
      const { path } = requestTo(t, route, {
        valueFor: (_place, name) => (name === 'org_id' ? org.orgId : undefined),
      })
      const isOfOperator = route.path.startsWith('/v1/platform/')
      const answer = await ask(path, isOfOperator ? t.seed.platformAdmin.api_key : org.admin.token)
      await answer.body.dump()
      // Only the lists below a resource that the test has not made may be missing.
      const isBelowAnother = /:(?!org_id)/.test(route.path)
      expect([route.name, answer.statusCode]).toEqual([
        route.name,
        isBelowAnother ? expect.toSatisfy((status) => [200, 404].includes(status)) : 200,
      ])
      if (answer.statusCode === 200) exported.push(String(answer.headers['content-type']))
    }
    expect(exported.length).toBeGreaterThan(8)
    expect(new Set(exported)).toEqual(new Set(['text/csv; charset=utf-8']))
  })
})

describe('errors are rendered as JSON', () => {
  it('400, 401, 403', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const statuses: number[] = []
    for (const [path, as] of [
      ['/v1/transactions?status=nonsense', org.admin.token],
      ['/v1/transactions?last_evaluated_key=nonsense', org.admin.token],
      ['/v1/transactions', 'not-a-token'],
      [`/v1/organizations/${org.orgId}/audit-log`, viewer.token],
    ] as const) {
      const answer = await ask(path, as)
      expect(await answer.body.json()).toMatchObject({ status: 'error' })
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([400, 400, 401, 403])
  })
})
