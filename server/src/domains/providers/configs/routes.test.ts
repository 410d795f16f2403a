import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  kenyanPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const configs = '/v1/payments/provider-configs'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let operator: string
beforeAll(() => {
  operator = t.seed.platformAdmin.api_key
})
beforeEach(async () => {
  org = await openPayments(t)
})

const kenya = { country: 'KE', payment_method: 'mobile_money', direction: 'inbound' }
const create = (body: Json, as = org.credential): Promise<CallAnswer> => t.call('POST', configs, { as, body })
const created = async (change: object, as?: string): Promise<Json> => {
  const answer = await create({ provider: 'paystack', ...kenya, ...change }, as)
  expect(answer.status).toBe(201)
  return answer.body.data
}
const at = ({ provider, config_id }: Json): string => `${configs}/${provider}/${config_id}`

/** The organisation's own account for payments that its staff confirm. */
const ownManual = (): Promise<CallAnswer> =>
  org.call('PUT', '/v1/payments/provider-credentials/manual', { credentials: {} })

describe('200', () => {
  it('one configuration: every field of the spec with its type', async () => {
    const config = await created({
      provider: 'paystack',
      priority: 7,
      is_active: false,
      min_amount: 1,
      max_amount: 250_000.5,
      description: 'For small amounts',
    })
    const answer = await org.call('GET', at(config))
    expect(answer.body).toEqual({
      config_id: config.config_id,
      provider: 'paystack',
      ...kenya,
      account_id: null,
      api_version: '',
      priority: 7,
      is_active: false,
      webhook_required: false,
      org_id: org.orgId,
      min_amount: 1,
      max_amount: 250_000.5,
      description: 'For small amounts',
      webhook_url: '',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(answer.text).toContain('"min_amount":1.0,"max_amount":250000.5')
  })

  it('omitted fields have defaults', async () => {
    const config = await created({})
    expect(config).not.toHaveProperty('min_amount')
    expect(config).not.toHaveProperty('max_amount')
    expect(config).toMatchObject({
      priority: 100,
      is_active: true,
      webhook_required: false,
      api_version: '',
      description: '',
      webhook_url: '',
    })
  })

  it('the list holds the organisation’s own and the installation’s, and no other organisation’s', async () => {
    const own = await created({})
    const stranger = await openPayments(t)
    const theirs = await created({}, stranger.credential)
    const { data, meta } = (await org.call('GET', `${configs}?limit=100`)).body
    const ids = data.map((row: Json) => row.config_id)
    expect(ids).toContain(own.config_id)
    expect(ids).not.toContain(theirs.config_id)
    expect(new Set(data.map((row: Json) => row.org_id))).toEqual(new Set([org.orgId, null]))
    expect(meta).toEqual({ count: data.length, last_evaluated_key: null })
    const pawapay = (await org.call('GET', `${configs}?limit=100&provider=pawapay`)).body.data
    expect(new Set(pawapay.map((row: Json) => row.provider))).toEqual(new Set(['pawapay']))
  })

  it('pages list every configuration once', async () => {
    const all = (await org.call('GET', `${configs}?limit=100`)).body.data.map((row: Json) => row.config_id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&last_evaluated_key=${encodeURIComponent(cursor)}`
      const { body } = await org.call('GET', `${configs}?limit=7${from}`)
      seen.push(...body.data.map((row: Json) => row.config_id))
      cursor = body.meta.last_evaluated_key
    }
    expect(seen).toEqual(all)
  })

  it('a change applies to the next payment', async () => {
    await ownManual()
    const config = await created({ provider: 'manual', priority: 1 })
    expect((await org.record(await org.start(kenyanPayin()))).provider).toBe('manual')
    const changed = await org.call('PATCH', at(config), {
      is_active: false,
      max_amount: null,
      description: 'Off',
    })
    expect(changed.body.data).toMatchObject({ is_active: false, description: 'Off', priority: 1 })
    expect((await org.record(await org.start(kenyanPayin()))).provider).toBe('pawapay')
  })

  it('only the operator may change the installation’s configurations', async () => {
    const config = await created({ country: 'CI' }, operator)
    expect(config.org_id).toBeNull()
    expect((await org.call('GET', at(config))).body.org_id).toBeNull()
    const changed = await t.call('PATCH', at(config), { as: operator, body: { priority: 3 } })
    expect(changed.body.data.priority).toBe(3)
  })

  it('the operator may create one for an organisation', async () => {
    const config = await created({ org_id: org.orgId }, operator)
    expect((await org.call('GET', at(config))).body.org_id).toBe(org.orgId)
  })
})

describe('routing', () => {
  const providers = async (): Promise<string> => {
    const entries = await org.timeline(await org.start(kenyanPayin()))
    return entries.find((entry) => entry.kind === 'routing').summary
  }

  it('the installation’s are ordered by priority', async () => {
    expect(await providers()).toBe('pawapay, then paystack')
  })

  it('priority alone orders an organisation’s own and the installation’s; at a tie its own come first', async () => {
    await ownManual()
    await created({ provider: 'manual', priority: 900 })
    expect(await providers()).toBe('pawapay, then paystack, then manual')
    await created({ provider: 'paystack', priority: 5 })
    expect(await providers()).toMatch(/^paystack, then pawapay/)
    await created({ provider: 'manual', priority: 10 })
    expect(await providers()).toMatch(/^paystack, then manual, then pawapay/)
  })

  it('another organisation’s are never used', async () => {
    await created({ provider: 'manual', priority: 1 }, (await openPayments(t)).credential)
    expect(await providers()).toBe('pawapay, then paystack')
  })
})

describe('204', () => {
  it('a deleted configuration is neither listed nor routed to', async () => {
    const config = await created({ provider: 'manual', priority: 1 })
    const answer = await org.call('DELETE', at(config))
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await org.call('GET', at(config))).status).toBe(404)
    expect((await org.record(await org.start(kenyanPayin()))).provider).toBe('pawapay')
  })
})

describe('400', () => {
  it.each([
    { provider: 'nobody' },
    { country: 'Kenya' },
    { payment_method: 'cheque' },
    { direction: 'payin' },
    { priority: -1 },
    { priority: 1.5 },
    { is_active: 'yes' },
    { min_amount: -1 },
    { min_amount: '5' },
    { min_amount: 1e25 },
    { min_amount: 100, max_amount: 99 },
    { webhook_url: 'https://example.com/hook' },
    { webhook_required: true },
    { api_version: '2' },
    { payment_method: 'wallet', direction: 'external' },
    { provider: 'fiat' },
    { provider: 'fiat', payment_method: 'wallet' },
    { provider: 'hybrid', direction: 'external' },
    { org_id: 'mine' },
  ])('%j', async (change) => {
    expect((await create({ provider: 'paystack', ...kenya, ...change })).status).toBe(400)
  })

  it('a field that would be stored and ignored says why it is refused, and its empty value is accepted', async () => {
    const empty = { webhook_url: '', webhook_required: false, api_version: '' }
    const config = await created(empty)
    expect(config).toMatchObject(empty)
    for (const change of [
      { webhook_url: 'https://example.com/hook' },
      { webhook_required: true },
      { api_version: '2' },
    ]) {
      const { status, body } = await org.call('PATCH', at(config), change)
      expect([status, body.details[0].path]).toEqual([400, Object.keys(change)[0]])
      expect(body.details[0].message).toContain('Leave it out')
    }
  })

  it.each(['provider', 'country', 'payment_method', 'direction'])('%s is required', async (name) => {
    const body = Object.entries({ provider: 'paystack', ...kenya }).filter(([key]) => key !== name)
    const answer = await create(Object.fromEntries(body))
    expect([answer.status, answer.body.details[0].path]).toEqual([400, name])
  })

  it('a change that would make min_amount exceed max_amount', async () => {
    const config = await created({ min_amount: 10, max_amount: 20 })
    expect((await org.call('PATCH', at(config), { min_amount: 21 })).status).toBe(400)
    expect((await org.call('PATCH', at(config), { max_amount: 9 })).status).toBe(400)
    expect((await org.call('PATCH', at(config), { min_amount: 5, max_amount: 9 })).status).toBe(200)
  })
})

describe('403', () => {
  it('staff and viewers may neither read nor change them', async () => {
    const config = await created({})
    for (const role of ['staff', 'viewer'] as const) {
      const { token } = await addPerson(t, org.orgId, role)
      expect((await t.call('GET', configs, { as: token })).status).toBe(403)
      expect((await t.call('GET', at(config), { as: token })).status).toBe(403)
      expect((await t.call('PATCH', at(config), { as: token, body: { priority: 1 } })).status).toBe(403)
      expect((await t.call('DELETE', at(config), { as: token })).status).toBe(403)
      expect((await create({ provider: 'paystack', ...kenya }, token)).status).toBe(403)
    }
  })

  it('an org-admin may not create, change or delete the installation’s or another organisation’s', async () => {
    const { data } = (await org.call('GET', `${configs}?limit=100`)).body
    const global = data.find((row: Json) => row.org_id === null)
    expect((await org.call('PATCH', at(global), { is_active: false })).status).toBe(403)
    expect((await org.call('DELETE', at(global))).status).toBe(403)
    expect((await create({ provider: 'paystack', ...kenya, org_id: null })).status).toBe(403)
    const stranger = await openPayments(t)
    expect((await create({ provider: 'paystack', ...kenya, org_id: stranger.orgId })).status).toBe(403)
    expect((await org.call('GET', at(global))).body.is_active).toBe(true)
  })
})

describe('404', () => {
  it('another organisation’s, or under another provider’s name', async () => {
    const config = await created({})
    const stranger = await openPayments(t)
    expect((await stranger.call('GET', at(config))).status).toBe(404)
    expect((await stranger.call('PATCH', at(config), { priority: 1 })).status).toBe(404)
    expect((await stranger.call('DELETE', at(config))).status).toBe(404)
    expect((await org.call('GET', at({ ...config, provider: 'stripe' }))).status).toBe(404)
    expect((await org.call('GET', at(config))).body.priority).toBe(100)
  })
})
