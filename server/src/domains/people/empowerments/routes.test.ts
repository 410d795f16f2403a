import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, personBody, type Person } from '../../../../test/app/people.ts'
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
/** Its first administrator, and the thief of most tests. */
let org: OrgPayments
let second: Person
beforeEach(async () => {
  org = await openPayments(t)
  second = await addPerson(t, org.orgId, 'org-admin')
})

const day = 24 * 60 * 60_000
const orgPath = (rest: string): string => `/v1/organizations/${org.orgId}/${rest}`
const policies = (payout_from = 1000): Promise<CallAnswer> =>
  org.call('PUT', orgPath('approval-policies'), { policies: [{ currency: 'NGN', payout_from }] })
/** A second login of the first administrator. */
async function addAlone(role: string, as = org.credential): Promise<Person> {
  const person = personBody()
  const answer = await t.call('POST', orgPath('members'), { as, body: { ...person, role } })
  if (answer.status !== 201) throw new Error(answer.text)
  const token = await t.identity.sign({ sub: person.user_id, org_id: org.orgId })
  return { userId: person.user_id, email: person.email, token }
}
const grant = (to: Person, ...permissions: string[]): Promise<CallAnswer> =>
  org.call('POST', orgPath(`members/${to.userId}/permissions`), { permissions })
const approve = (held: CallAnswer, as: string): Promise<CallAnswer> =>
  t.call('POST', orgPath(`change-requests/${held.body.data.request_id}/approve`), { as, body: {} })
const confirm = (person: Person, as: string): Promise<CallAnswer> =>
  t.call('POST', orgPath(`members/${person.userId}/confirm`), { as })
const payoutBy = async (as: string): Promise<string> => {
  const beneficiary = await org.addBeneficiary(bankBeneficiary())
  const body = bankPayout(beneficiary, { amount: 5000, target_amount: 5000 })
  const { response } = (await org.initiate(body, { as })).body
  return response.payment_id
}
const review = (paymentId: string, as: string): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${paymentId}/review`, { as, body: { decision: 'approve' } })

describe('403: one administrator with a second login', () => {
  it('cannot give it what proposes an outflow once there is a policy', async () => {
    await policies()
    const sock = await addAlone('viewer')
    for (const permission of ['payments:write', 'beneficiaries:write', 'provider-configs:write'])
      expect((await grant(sock, permission)).status).toBe(202)
  })

  it('cannot approve its batch, although it was empowered before the policy', async () => {
    const sock = await addAlone('viewer')
    expect((await grant(sock, 'payments:write', 'beneficiaries:write')).status).toBe(200)
    await policies()
    const rows = [
      {
        client_reference: 'r1',
        beneficiary_id: await org.addBeneficiary(bankBeneficiary()),
        amount: 50_000,
        currency: 'NGN',
      },
    ]
    const batch = await t.call('POST', '/v1/payouts/batches', { as: sock.token, body: { rows } })
    const path = `/v1/payouts/batches/${batch.body.data.batch_id}/approve`
    const refused = await org.call('POST', path, {})
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'You and the other person are related: one of you gave the other access less than 30 days ago, and nobody else agreed to it, so you do not count as a second person here. Somebody unrelated has to decide, or the operator confirms one of you.',
    ])
    expect((await t.call('POST', path, { as: second.token, body: {} })).status).toBe(200)
    expect((await org.call('POST', path, {})).status).toBe(403)
  })

  it('cannot approve its payout, nor can two logins of one person', async () => {
    const [maker, checker] = [await addAlone('staff'), await addAlone('staff')]
    await policies()
    const paymentId = await payoutBy(maker.token)
    for (const as of [org.credential, checker.token]) expect((await review(paymentId, as)).status).toBe(403)
    expect((await review(paymentId, second.token)).status).toBe(200)
    expect((await review(paymentId, org.credential)).status).toBe(403)
    const waiting = (await org.call('GET', '/v1/payments/awaiting-review')).body.data
    expect(waiting).toMatchObject([{ may_review: false, reason: expect.stringContaining('second person') }])
    expect((await org.call('GET', '/v1/users/me/waiting')).body.data.payouts.count).toBe(0)
  })

  it('cannot approve a beneficiary’s new account or provider keys that it asks for', async () => {
    const sock = await addAlone('staff')
    await grant(sock, 'provider-configs:write')
    await policies()
    const credentials = { secretKey: 'sk_test_of_the_thief' }
    const body = { provider: 'paystack', label: 'other', credentials }
    const keys = await t.call('POST', '/v1/payments/provider-accounts', { as: sock.token, body })
    expect(keys.status).toBe(202)
    expect((await approve(keys, org.credential)).status).toBe(403)
    const listed = await org.call('GET', '/v1/users/me/waiting')
    expect(listed.body.data.change_requests.count).toBe(0)
    expect((await approve(keys, second.token)).status).toBe(200)
  })

  it('cannot confirm it, and nor can it confirm itself or another login', async () => {
    const [sock, other] = [await addAlone('org-admin'), await addAlone('org-admin')]
    for (const as of [org.credential, sock.token, other.token])
      expect((await confirm(sock, as)).status).toBe(403)
  })

  it('through a chain of logins', async () => {
    const admin = await addAlone('org-admin')
    const maker = await addAlone('staff', admin.token)
    await policies()
    const paymentId = await payoutBy(maker.token)
    expect((await review(paymentId, org.credential)).status).toBe(403)
  })
})

describe('200', () => {
  it('whom somebody unrelated confirms counts as a second person', async () => {
    const sock = await addAlone('staff')
    await policies()
    const paymentId = await payoutBy(sock.token)
    expect((await confirm(sock, second.token)).body.data).toEqual({
      user_id: sock.userId,
      confirmed_by: second.userId,
    })
    expect((await review(paymentId, org.credential)).status).toBe(200)
    expect((await confirm(sock, second.token)).status).toBe(409)
    const audit = (await org.call('GET', orgPath('audit-log'))).body.data
    expect(audit.map(({ action }: Json) => action)).toContain('member.confirm')
  })

  it('whom two people admitted', async () => {
    await policies()
    const person = personBody()
    const held = await org.call('POST', orgPath('members'), { ...person, role: 'staff' })
    expect((await approve(held, second.token)).status).toBe(200)
    const token = await t.identity.sign({ sub: person.user_id, org_id: org.orgId })
    expect((await review(await payoutBy(token), org.credential)).status).toBe(200)
  })

  it('a founder who adds two colleagues: the operator decides, and the answer says so', async () => {
    const founder = await openPayments(t)
    const path = (rest: string): string => `/v1/organizations/${founder.orgId}/${rest}`
    const colleague = personBody()
    await founder.call('POST', path('members'), { ...colleague, role: 'org-admin' })
    await founder.call('POST', path('members'), { ...personBody(), role: 'staff' })
    const set = (payout_from: number): Promise<CallAnswer> =>
      founder.call('PUT', path('approval-policies'), { policies: [{ currency: 'NGN', payout_from }] })
    await set(1000)
    const held = await set(2000)
    expect([held.status, held.body.message]).toEqual([202, 'The operator has to approve this change.'])
    const decide = (as: string): Promise<CallAnswer> =>
      t.call('POST', path(`change-requests/${held.body.data.request_id}/approve`), { as, body: {} })
    const token = await t.identity.sign({ sub: colleague.user_id, org_id: founder.orgId })
    expect((await decide(token)).status).toBe(403)
    expect((await decide(t.seed.platformAdmin.api_key)).status).toBe(200)
  })

  it('after thirty days', async () => {
    const sock = await addAlone('staff')
    await policies()
    clock.pass(30 * day - 1000)
    expect((await review(await payoutBy(sock.token), org.credential)).status).toBe(403)
    clock.pass(2000)
    expect((await review(await payoutBy(sock.token), org.credential)).status).toBe(200)
  })
})
