import { beforeAll, describe, expect, it } from 'vitest'
import { openOrganization, personBody } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  createTestClock,
  openPayments,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'

const day = 24 * 60 * 60_000
const clock = createTestClock()
const t = usePayments({ clock })
let first: string
let second: { userId: string; token: string }
let tenant: string
beforeAll(async () => {
  first = t.seed.platformAdmin.api_key
  const added = await add(first)
  if (added.status !== 201) throw new Error(added.text)
  second = await signIn(added.body.data.user_id)
  tenant = (await openOrganization(t)).orgId
  clock.pass(31 * day)
})

const members = (): string => `/v1/organizations/${t.seed.platformAdmin.org_id}/members`
const add = (as: string): Promise<CallAnswer> =>
  t.call('POST', members(), { as, body: { ...personBody(), role: 'platform-admin' } })
const signIn = async (userId: string): Promise<{ userId: string; token: string }> => ({
  userId,
  token: await t.identity.sign({ sub: userId, org_id: t.seed.platformAdmin.org_id }),
})
const decide = (held: CallAnswer, verb: string, as: string): Promise<CallAnswer> => {
  const { org_id, request_id } = held.body.data
  return t.call('POST', `/v1/organizations/${org_id}/change-requests/${request_id}/${verb}`, { as, body: {} })
}
const limits = (amount: number): Json => ({ limits: [{ currency: 'NGN', amount }] })
const schedule = { label: 'Everything', percent: 1 }
const keys = {
  provider: 'paystack',
  label: 'other',
  org_id: null,
  credentials: { secretKey: 'sk_test_other' },
}

/** What loosens. The operation, and what it changes once a second operator has agreed. */
const loosening: readonly [name: string, method: string, path: () => string, body: Json][] = [
  ['a higher credit limit', 'PUT', () => `/v1/organizations/${tenant}/credit-limits`, limits(1000)],
  ['a waived verification', 'PATCH', () => `/v1/organizations/${tenant}`, { payouts_require_kyb: false }],
  ['another margin', 'PATCH', () => `/v1/organizations/${tenant}`, { rate_margin_bps: 1 }],
  ['a fee schedule', 'POST', () => '/v1/fees/schedules', schedule],
  ['an account of the installation', 'POST', () => '/v1/payments/provider-accounts', keys],
  ['a further operator', 'POST', members, { ...personBody(), role: 'platform-admin' }],
]

describe('202: one of two operators waits for the other', () => {
  it.each(loosening)('%s', async (_name, method, path, body) => {
    const held = await t.call(method, path(), { as: first, body })
    expect([held.status, held.body.data?.status]).toEqual([202, 'pending'])
    expect((await decide(held, 'approve', first)).status).toBe(403)
    const waiting = (await t.call('GET', '/v1/users/me/waiting', { as: second.token })).body.data
    expect(JSON.stringify(waiting)).toContain(held.body.data.request_id)
    expect((await decide(held, 'approve', second.token)).body).toMatchObject({ data: { status: 'approved' } })
  })

  it('what was approved is in force', async () => {
    const read = async (path: string): Promise<Json> => (await t.call('GET', path, { as: first })).body.data
    expect(await read(`/v1/organizations/${tenant}/credit-limits`)).toEqual(limits(1000))
    expect(await read(`/v1/organizations/${tenant}`)).toMatchObject({
      payouts_require_kyb: false,
      rate_margin_bps: 1,
    })
    const schedules: Json[] = await read('/v1/fees/schedules')
    expect(schedules).toMatchObject([schedule])
    const accounts: Json[] = await read('/v1/payments/provider-accounts?provider=paystack')
    expect(accounts.map(({ label }) => label)).toContain('other')
    const path = `/v1/fees/schedules/${schedules[0].schedule_id}`
    const retired = await t.call('DELETE', path, { as: first })
    expect(retired.status).toBe(202)
    await decide(retired, 'approve', second.token)
    expect(await read('/v1/fees/schedules')).toMatchObject([{ retired_at: expect.any(String) }])
  })

  it('the removal of the other, who decides about it', async () => {
    const removed = await t.call('DELETE', `${members()}/${second.userId}`, { as: first })
    expect(removed.status).toBe(202)
    expect((await decide(removed, 'reject', second.token)).status).toBe(200)
  })
})

describe('a manual payment at an account of the installation', () => {
  it('403 for one of two operators, who resolve it together', async () => {
    const org = await openPayments(t)
    const paymentId = await org.start(
      bankTransferPayin({
        country: 'UG',
        amount: 5000,
        target_amount: 5000,
        currency: 'UGX',
        target_currency: 'UGX',
      }),
    )
    const decision = (verb: string, body: Json): Promise<CallAnswer> =>
      t.call('POST', `/v1/payments/${paymentId}/${verb}`, { as: first, body })
    const alone = await decision('confirm', { outcome: 'completed' })
    expect([alone.status, alone.body.message]).toEqual([403, expect.stringContaining('two operators decide')])
    const evidence = 'The statement of Monday shows it.'
    const held = await decision('resolve', { outcome: 'completed', evidence, org_id: org.orgId })
    expect(held.status).toBe(202)
    expect((await decide(held, 'approve', first)).status).toBe(403)
    expect((await org.record(paymentId)).status).toBe('pending')
    expect((await decide(held, 'approve', second.token)).status).toBe(200)
    expect((await org.record(paymentId)).status).toBe('completed')
  })
})

describe('200: what tightens takes one', () => {
  it.each([
    ['a lower credit limit', 'PUT', () => `/v1/organizations/${tenant}/credit-limits`, limits(500)],
    ['verification required', 'PATCH', () => `/v1/organizations/${tenant}`, { payouts_require_kyb: true }],
  ])('%s', async (_name, method, path, body) => {
    expect((await t.call(method, path(), { as: first, body })).status).toBe(200)
  })
})
