import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, approveChange, personBody, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
let second: Person
let staff: Person
let beneficiary: string
beforeEach(async () => {
  org = await openPayments(t)
  second = await addPerson(t, org.orgId, 'org-admin')
  staff = await addPerson(t, org.orgId, 'staff')
  beneficiary = await org.addBeneficiary(bankBeneficiary())
  await org.call('PUT', policiesPath(), { policies: [{ currency: 'NGN', payout_from: 1000 }] })
})

const orgPath = (rest: string): string => `/v1/organizations/${org.orgId}/${rest}`
const policiesPath = (): string => orgPath('approval-policies')
const policies = async (): Promise<Json> => (await org.call('GET', policiesPath())).body.data.policies
const payout = (amount: number): Json => bankPayout(beneficiary, { amount, target_amount: amount })
/** By the first administrator. */
const loosen = (): Promise<CallAnswer> => org.call('PUT', policiesPath(), { policies: [] })
const decide = (held: CallAnswer, verb: string, as: string): Promise<CallAnswer> =>
  t.call('POST', orgPath(`change-requests/${held.body.data.request_id}/${verb}`), {
    as,
    ...(verb !== 'cancel' && { body: {} }),
  })
const statusOf = async (held: CallAnswer): Promise<string> =>
  (await org.call('GET', orgPath(`change-requests/${held.body.data.request_id}`))).body.data.status
const member = async (userId: string): Promise<Json> =>
  (await org.call('GET', orgPath(`members/${userId}`))).body.data

describe('202: what weakens control waits for a second person', () => {
  it('one org-admin cannot lift the policies, pay, and put them back', async () => {
    const held = await loosen()
    expect(held.status).toBe(202)
    expect(held.body.data).toMatchObject({
      kind: 'approval-policies.set',
      status: 'pending',
      summary: 'Approval policies: none instead of NGN from 1000.00.',
      decided_by: null,
    })
    expect((await org.initiate(payout(50_000))).body.response.status).toBe('initiated')
    expect(await policies()).toHaveLength(1)
    expect((await decide(held, 'approve', second.token)).body.data).toMatchObject({
      status: 'approved',
      decided_by: second.userId,
    })
    expect(await policies()).toEqual([])
    expect((await org.initiate(payout(50_000))).body.response.status).toBe('processing')
  })

  it.each([
    ['a higher amount', [{ currency: 'NGN', payout_from: 1000.01 }], 202],
    [
      'another currency, which is no longer converted',
      [
        { currency: 'NGN', payout_from: 1000 },
        { currency: 'GBP', payout_from: 1e9 },
      ],
      202,
    ],
    ['a lower amount', [{ currency: 'NGN', payout_from: 500 }], 200],
    ['a daily limit', [{ currency: 'NGN', payout_from: 1000, daily_from: 5000 }], 200],
  ])('%s', async (_name, wanted, status) => {
    expect((await org.call('PUT', policiesPath(), { policies: wanted })).status).toBe(status)
  })

  it('nor can a daily limit be raised or removed', async () => {
    const limited = (daily_from: number | null): Promise<CallAnswer> =>
      org.call('PUT', policiesPath(), { policies: [{ currency: 'NGN', payout_from: 1000, daily_from }] })
    expect((await limited(5000)).status).toBe(200)
    expect((await limited(5001)).status).toBe(202)
    expect((await limited(null)).status).toBe(202)
    expect((await limited(4999)).status).toBe(200)
  })

  it('a sock puppet is neither added, invited nor promoted', async () => {
    const puppet = personBody()
    expect((await org.call('POST', orgPath('members'), { ...puppet, role: 'org-admin' })).status).toBe(202)
    expect((await org.call('GET', orgPath(`members/${puppet.user_id}`))).status).toBe(404)
    const invitation = { email: 'puppet@example.test', role: 'staff' }
    expect((await org.call('POST', orgPath('invitations'), invitation)).status).toBe(202)
    expect((await org.call('GET', orgPath('invitations'))).body.data).toEqual([])
    expect((await org.call('POST', orgPath('members'), { ...puppet, role: 'viewer' })).status).toBe(201)
    const path = orgPath(`members/${puppet.user_id}`)
    expect((await org.call('PATCH', path, { role: 'org-admin' })).status).toBe(202)
    expect((await member(puppet.user_id)).role).toBe('viewer')
    const permissions = ['payouts:approve']
    for (const method of ['POST', 'PUT'])
      expect((await org.call(method, `${path}/permissions`, { permissions })).status).toBe(202)
    expect((await org.call('PATCH', path, { first_name: 'Pia' })).status).toBe(200)
  })

  it('the other administrator is neither demoted, removed nor stripped of control', async () => {
    const path = orgPath(`members/${second.userId}`)
    expect((await org.call('PATCH', path, { role: 'viewer' })).status).toBe(202)
    expect((await org.call('DELETE', path)).status).toBe(202)
    for (const permission of ['payouts:approve', 'permissions:write', 'approval-policies:write'])
      expect((await org.call('DELETE', `${path}/permissions`, { permissions: [permission] })).status).toBe(
        202,
      )
    const { role, permissions } = await member(second.userId)
    expect(role).toBe('org-admin')
    expect(permissions).toEqual(expect.arrayContaining(['payouts:approve', 'permissions:write']))
    expect((await org.call('PUT', orgPath('change-control'), { enabled: false })).status).toBe(409)
  })

  it('provider keys are stored when approved, and are nowhere in clear text before', async () => {
    const credentials = { secretKey: 'sk_test_a_very_secret_key' }
    const held = await org.call('PUT', '/v1/payments/provider-credentials/paystack', { credentials })
    expect(held.status).toBe(202)
    expect(held.text).not.toContain('a_very_secret_key')
    const { rows } = await t.owner.query('select r::text as row from change_requests r where org_id = $1', [
      org.orgId,
    ])
    expect(JSON.stringify(rows)).not.toContain('a_very_secret_key')
    const owners = async (): Promise<string[]> => {
      const stored = await t.owner.query('select provider from provider_accounts where org_id = $1', [
        org.orgId,
      ])
      return stored.rows.map(({ provider }) => provider)
    }
    expect(await owners()).toEqual([])
    expect((await decide(held, 'approve', second.token)).status).toBe(200)
    expect(await owners()).toEqual(['paystack'])
    const further = { provider: 'paystack', label: 'another', credentials }
    expect((await org.call('POST', '/v1/payments/provider-accounts', further)).status).toBe(202)
    expect(await owners()).toEqual(['paystack'])
  })

  it('a new account of a beneficiary who has been paid; a new one of somebody unpaid is changed at once', async () => {
    const path = `/v1/beneficiaries/${beneficiary}`
    const bank_details = { account_number: '0690000056', bank_code: '044', bank_name: 'Access Bank' }
    const change = { bank_details }
    const unpaid = await org.addBeneficiary(bankBeneficiary())
    expect((await org.call('PATCH', `/v1/beneficiaries/${unpaid}`, change)).status).toBe(200)
    await org.start(payout(10))
    expect((await org.call('PATCH', path, { email: 'new@example.com' })).status).toBe(200)
    const held = await t.call('PATCH', path, { as: staff.token, body: change })
    expect(held.status).toBe(202)
    expect(held.text).not.toContain('0690000056')
    const account = async (): Promise<string> =>
      (await org.call('GET', path)).body.data.bank_details.account_number
    expect(await account()).toBe('0690000049')
    expect((await decide(held, 'approve', second.token)).status).toBe(200)
    expect(await account()).toBe('0690000056')
  })

  it('the other administrators get a notice', async () => {
    await loosen()
    const { data } = (await t.call('GET', '/v1/users/notifications', { as: second.token })).body
    expect(data.map(({ template }: Json) => template)).toContain('change-requested')
    const own = (await org.call('GET', '/v1/users/notifications')).body.data
    expect(own.map(({ template }: Json) => template)).not.toContain('change-requested')
  })
})

describe('200', () => {
  it('approved changes of members are made', async () => {
    const path = orgPath(`members/${staff.userId}`)
    const approve = async (held: CallAnswer): Promise<void> => {
      expect([held.status, (await decide(held, 'approve', second.token)).status]).toEqual([202, 200])
    }
    await approve(await org.call('DELETE', `${path}/permissions`, { permissions: ['payouts:approve'] }))
    expect((await member(staff.userId)).permissions).not.toContain('payouts:approve')
    await approve(await org.call('PATCH', path, { role: 'org-admin' }))
    expect((await member(staff.userId)).role).toBe('org-admin')
    await approve(await org.call('DELETE', path))
    expect((await org.call('GET', path)).status).toBe(404)
    const puppet = personBody()
    await approve(await org.call('POST', orgPath('members'), { ...puppet, role: 'staff' }))
    expect((await member(puppet.user_id)).role).toBe('staff')
    await approve(await org.call('POST', orgPath('invitations'), { email: 'a@example.test', role: 'staff' }))
    expect((await org.call('GET', orgPath('invitations'))).body.data).toHaveLength(1)
  })

  it('a rejected or canceled change is never made', async () => {
    const rejected = await loosen()
    expect((await decide(rejected, 'reject', second.token)).body.data.status).toBe('rejected')
    const canceled = await loosen()
    expect((await decide(canceled, 'cancel', org.credential)).body.data.status).toBe('canceled')
    for (const held of [rejected, canceled])
      expect((await decide(held, 'approve', second.token)).status).toBe(409)
    expect(await policies()).toHaveLength(1)
  })

  it('the list shows the newest first, by status', async () => {
    const first = await loosen()
    const latest = await loosen()
    await decide(first, 'reject', second.token)
    const list = async (filter: string): Promise<string[]> =>
      (await org.call('GET', orgPath(`change-requests${filter}`))).body.data.map(
        ({ request_id }: Json) => request_id,
      )
    expect(await list('')).toEqual([latest.body.data.request_id, first.body.data.request_id])
    expect(await list('?status=pending')).toEqual([latest.body.data.request_id])
  })

  it('the operator may be the second person', async () => {
    const held = await loosen()
    expect((await decide(held, 'approve', t.seed.platformAdmin.api_key)).status).toBe(200)
  })
})

describe('403', () => {
  it('the requester, also with another key, and staff do not decide', async () => {
    const held = await loosen()
    const key = await org.call('POST', '/v1/public/api-keys', { name: 'the same person' })
    for (const as of [org.credential, key.body.data.api_key, staff.token])
      for (const verb of ['approve', 'reject']) expect((await decide(held, verb, as)).status).toBe(403)
    expect((await decide(held, 'cancel', second.token)).status).toBe(403)
    expect(await statusOf(held)).toBe('pending')
    expect(await policies()).toHaveLength(1)
  })

  it('the operator does not approve what the operator asked for', async () => {
    const body = { policies: [] }
    const held = await t.call('PUT', policiesPath(), { as: t.seed.platformAdmin.api_key, body })
    expect(held.status).toBe(202)
    expect((await decide(held, 'approve', t.seed.platformAdmin.api_key)).status).toBe(403)
  })

  it('another organisation’s requests are out of reach', async () => {
    const stranger = await openPayments(t)
    expect((await stranger.call('GET', orgPath('change-requests'))).status).toBe(403)
    expect((await decide(await loosen(), 'approve', stranger.credential)).status).toBe(403)
  })
})

describe('404', () => {
  it('the id of another organisation’s request', async () => {
    const { request_id } = (await loosen()).body.data
    const stranger = await openPayments(t)
    const path = `/v1/organizations/${stranger.orgId}/change-requests/${request_id}`
    expect((await stranger.call('GET', path)).status).toBe(404)
    for (const verb of ['approve', 'reject'])
      expect((await stranger.call('POST', `${path}/${verb}`, {})).status).toBe(404)
    expect((await stranger.call('POST', `${path}/cancel`)).status).toBe(404)
    expect(await policies()).toHaveLength(1)
  })
})

describe('409', () => {
  it('an expired request', async () => {
    const held = await loosen()
    clock.pass(72 * 60 * 60_000)
    const answer = await decide(held, 'approve', second.token)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('expired')])
    expect(await statusOf(held)).toBe('expired')
    expect(await policies()).toHaveLength(1)
  })

  it('of two approvals at the same moment one is made', async () => {
    const third = await addPerson(t, org.orgId, 'org-admin')
    const held = await loosen()
    const answers = await Promise.all([second, third].map(({ token }) => decide(held, 'approve', token)))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
  })

  it('policies that have changed since they were compared', async () => {
    const held = await loosen()
    await org.call('PUT', policiesPath(), { policies: [{ currency: 'NGN', payout_from: 500 }] })
    expect((await decide(held, 'approve', second.token)).status).toBe(409)
    expect(await policies()).toMatchObject([{ payout_from: 500 }])
  })

  it('a member who is gone: the request keeps waiting', async () => {
    const path = orgPath(`members/${staff.userId}`)
    const [first, again] = [await org.call('DELETE', path), await org.call('DELETE', path)]
    await approveChange(t, first)
    expect((await decide(again, 'approve', second.token)).status).toBe(404)
    expect(await statusOf(again)).toBe('pending')
  })
})
