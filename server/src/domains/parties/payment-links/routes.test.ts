import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { exportCsv } from '../../../../test/files/export-csv.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const dayMs = 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

const path = (linkId = ''): string =>
  `/v1/orgs/${org.orgId}/payment-links${linkId === '' ? '' : `/${linkId}`}`
const fixed = (change: object = {}): Json => ({
  amount: 25,
  currency: 'GBP',
  email: 'ann@example.com',
  description: 'Order 7',
  ...change,
})
const create = (change: object = {}): Promise<CallAnswer> => org.call('POST', path(), fixed(change))
const make = async (change: object = {}): Promise<Json> => (await create(change)).body.data
const inFuture = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

describe('201', () => {
  it('creates a link with an unguessable URL', async () => {
    const answer = await create({ client_reference: 'order-7', country: 'GB' })
    expect(answer.status).toBe(201)
    const { data } = answer.body
    expect(data).toEqual({
      link_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org_id: org.orgId,
      email: 'ann@example.com',
      link_ref: expect.stringMatching(/^[A-Za-z0-9_-]{27}$/),
      amount: 25,
      currency: 'GBP',
      payer_currency: 'GBP',
      country: 'GB',
      description: 'Order 7',
      amount_type: 'fixed',
      status: 'active',
      client_reference: 'order-7',
      return_url: null,
      payment_id: null,
      payment_status: null,
      expires_at: expect.any(String),
      created_at: expect.any(String),
      url: `${t.url}/pay/${data.link_ref}`,
    })
    expect(answer.text).toContain('"amount":25.00,')
    expect(new Date(data.expires_at).getTime() - new Date(data.created_at).getTime()).toBe(30 * dayMs)
  })

  it('with an open amount the payer decides, and the amount is a suggestion', async () => {
    expect(await make({ amount_type: 'open', amount: undefined })).toMatchObject({
      amount_type: 'open',
      amount: 0,
    })
    expect(await make({ amount_type: 'open' })).toMatchObject({ amount_type: 'open', amount: 25 })
  })

  it('references never repeat', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, () => make()))
    expect(new Set(links.map((link) => link.link_ref)).size).toBe(20)
  })
})

describe('200', () => {
  it('lists all links of the organisation, newest first, as data and count only', async () => {
    const first = await make()
    const second = await make({ amount_type: 'open' })
    await openPayments(t).then((other) =>
      other.call('POST', `/v1/orgs/${other.orgId}/payment-links`, fixed()),
    )
    const { status, body } = await org.call('GET', path())
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['count', 'data'])
    expect(body.data).toEqual([second, first])
    expect(body.count).toBe(2)
  })

  it('pages with a limit, newest first, and names the next page', async () => {
    const made = [await make(), await make(), await make()].toReversed()
    const first = (await org.call('GET', `${path()}?limit=2`)).body
    expect(first).toMatchObject({ data: made.slice(0, 2), count: 2, last_evaluated_key: expect.any(String) })
    const next = `${path()}?limit=2&last_evaluated_key=${first.last_evaluated_key}`
    expect((await org.call('GET', next)).body).toEqual({
      data: made.slice(2),
      count: 1,
      last_evaluated_key: null,
    })
  })

  it('filters by the status that it shows, a late expiry included', async () => {
    const [active, canceled, late] = [await make(), await make(), await make({ expires_at: inFuture(dayMs) })]
    await org.call('DELETE', path(canceled.link_id))
    clock.pass(dayMs + 1)
    const idsOf = async (status: string): Promise<string[]> =>
      (await org.call('GET', `${path()}?status=${status}`)).body.data.map(({ link_id }: Json) => link_id)
    expect(await idsOf('active')).toEqual([active.link_id])
    expect(await idsOf('canceled')).toEqual([canceled.link_id])
    expect(await idsOf('expired')).toEqual([late.link_id])
    expect(await idsOf('paid')).toEqual([])
    clock.pass(-dayMs - 1)
  })

  it('exports all links as CSV', async () => {
    await make()
    await make()
    expect(await exportCsv(t, path(), org.credential)).toHaveLength(3)
  })

  it('staff may read and write', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    const made = await t.call('POST', path(), { as: staff.token, body: fixed() })
    expect(made.status).toBe(201)
    expect((await t.call('GET', path(), { as: staff.token })).body.count).toBe(1)
  })

  it('reads and changes one link', async () => {
    const link = await make()
    expect((await org.call('GET', path(link.link_id))).body.data).toEqual(link)
    const change = {
      amount: 30.5,
      description: 'Order 8',
      email: null,
      return_url: 'https://shop.example/',
      expires_at: inFuture(dayMs),
    }
    const changed = await org.call('PATCH', path(link.link_id), change)
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({ ...link, ...change, email: '' })
    expect((await org.call('GET', path(link.link_id))).body.data).toEqual(changed.body.data)
  })

  it('a canceled link remains listed', async () => {
    const link = await make()
    const canceled = await org.call('DELETE', path(link.link_id))
    expect([canceled.status, canceled.body.data.status]).toEqual([200, 'canceled'])
    expect((await org.call('GET', path())).body.data[0].status).toBe('canceled')
  })

  it('a link counts as expired on time, even before the engine has run', async () => {
    const link = await make({ expires_at: inFuture(60_000) })
    clock.pass(60_001)
    expect((await org.call('GET', path(link.link_id))).body.data.status).toBe('expired')
    clock.pass(-60_001)
  })

  it('nothing waits in the outbox for a link to expire', async () => {
    const link = await make({ expires_at: inFuture(dayMs) })
    await org.call('PATCH', path(link.link_id), { expires_at: inFuture(2 * dayMs) })
    const waiting = await t.owner.query(`select from outbox where service = 'PaymentLinks'`)
    expect(waiting.rowCount).toBe(0)
  })

  it('no table holds the email in clear text', async () => {
    await make({ email: 'a-canary@example.com' })
    const found = await t.owner.query(`select from payment_links p where p::text like '%a-canary%'`)
    const audited = await t.owner.query(`select from audit_log a where a::text like '%a-canary%'`)
    expect([found.rowCount, audited.rowCount]).toEqual([0, 0])
  })
})

describe('400', () => {
  it.each([
    ['no amount for a fixed one', { amount: undefined }],
    ['no amount at all', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['more decimals than the currency has', { amount: 1.005 }],
    ['decimals where there are none', { amount: 1.5, currency: 'UGX' }],
    ['an unknown currency', { currency: 'XYZ' }],
    ['an unknown payer currency', { payer_currency: 'EURO' }],
    ['a crypto asset', { currency: 'USDC' }],
    ['an unknown type', { amount_type: 'any' }],
    ['no email', { email: 'ann' }],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ['an expiry that is too far away', { expires_at: '2090-01-01T00:00:00.000Z' }],
    ['a description that is too long', { description: 'x'.repeat(501) }],
  ])('%s', async (_what, change) => {
    const answer = await create(change)
    expect([answer.status, answer.body.status]).toEqual([400, 'error'])
  })

  it.each([
    'http://shop.example/',
    'javascript:alert(1)',
    'https://user@shop.example/',
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://evil.example\\@shop.example/',
    'https://evil.example#.shop.example',
    'https:evil.example',
    '//shop.example',
  ])('return_url %s, where only shop.example is allowed', async (return_url) => {
    await org.call('PATCH', `/v1/organizations/${org.orgId}`, { return_url_hosts: ['shop.example'] })
    expect((await create({ return_url })).status).toBe(400)
    const link = await make()
    expect((await org.call('PATCH', path(link.link_id), { return_url })).status).toBe(400)
    expect((await create({ return_url: 'https://shop.example/thanks?order=7' })).status).toBe(201)
  })

  it('a change to an invalid value', async () => {
    const link = await make({ currency: 'UGX' })
    for (const change of [{ amount: 1.5 }, { amount: 0 }, { expires_at: inFuture(-1) }])
      expect((await org.call('PATCH', path(link.link_id), change)).status).toBe(400)
  })
})

describe('400 for a list', () => {
  it.each(['?limit=0', '?limit=101', '?status=open', '?last_evaluated_key=x'])('%s', async (query) => {
    expect((await org.call('GET', `${path()}${query}`)).status).toBe(400)
  })

  it('a cursor of another status', async () => {
    await make()
    await make()
    const { last_evaluated_key } = (await org.call('GET', `${path()}?limit=1`)).body
    const query = `?limit=1&status=active&last_evaluated_key=${last_evaluated_key}`
    expect((await org.call('GET', `${path()}${query}`)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path())).status).toBe(401)
  })
})

describe('403', () => {
  it('a viewer may not even read', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await t.call('GET', path(), { as: viewer.token })).status).toBe(403)
    expect((await t.call('POST', path(), { as: viewer.token, body: fixed() })).status).toBe(403)
  })

  it('another organisation’s links', async () => {
    const other = await openPayments(t)
    const answer = await org.call('GET', `/v1/orgs/${other.orgId}/payment-links`)
    expect(answer.status).toBe(403)
  })
})

describe('404', () => {
  it('an unknown id, and one of another organisation', async () => {
    const other = await openPayments(t)
    const made = await other.call('POST', `/v1/orgs/${other.orgId}/payment-links`, fixed())
    for (const id of [newId(), made.body.data.link_id])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect((await org.call(method, path(id), method === 'PATCH' ? {} : undefined)).status).toBe(404)
  })
})

describe('409', () => {
  it.each(['PATCH', 'DELETE'])('%s of a link that has ended', async (method) => {
    const canceled = await make()
    await org.call('DELETE', path(canceled.link_id))
    const expired = await make({ expires_at: inFuture(60_000) })
    clock.pass(60_001)
    for (const { link_id } of [canceled, expired]) {
      const answer = await org.call(method, path(link_id), method === 'PATCH' ? { amount: 1 } : undefined)
      expect(answer.status).toBe(409)
    }
    clock.pass(-60_001)
  })
})
