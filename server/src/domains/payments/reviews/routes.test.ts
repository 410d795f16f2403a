import { beforeEach, describe, expect, it } from 'vitest'
import { exportCsv } from '../../../../test/files/export-csv.ts'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let staff: Person
let admin: Person
let viewer: Person
let beneficiary: string
beforeEach(async () => {
  org = await openPayments(t)
  staff = await addPerson(t, org.orgId, 'staff')
  admin = await addPerson(t, org.orgId, 'org-admin')
  viewer = await addPerson(t, org.orgId, 'viewer')
  beneficiary = await org.addBeneficiary(bankBeneficiary())
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
    policies: [{ currency: 'NGN', payout_from: 1000, daily_from: 1200 }],
  })
})

const path = '/v1/payments/awaiting-review'
const list = (as: string, query = ''): Promise<CallAnswer> => t.call('GET', `${path}${query}`, { as })
const rowFor = async (person: Person, id: string): Promise<Json> => {
  const answer = await list(person.token)
  expect(answer.status).toBe(200)
  return answer.body.data.find(({ payment_id }: Json) => payment_id === id)
}
const initiate = async (person: Person, amount: number): Promise<string> => {
  const body = bankPayout(beneficiary, { amount, target_amount: amount, description: 'March' })
  const answer = await t.call('POST', '/v1/payments-init/initiate', { as: person.token, body })
  return answer.body.response.payment_id
}
const review = (id: string, person: Person, body: Json = { decision: 'approve' }): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/review`, { as: person.token, body })

describe('200', () => {
  it('names the initiator, the policy, the amounts and what the caller may decide', async () => {
    const id = await initiate(staff, 1500)
    expect(await rowFor(admin, id)).toMatchObject({
      payment_id: id,
      status: 'initiated',
      direction: 'outbound',
      payment_method: 'bank_transfer',
      country: 'NG',
      amount: 1500,
      currency: 'NGN',
      target_amount: 1500,
      target_currency: 'NGN',
      beneficiary_id: beneficiary,
      description: 'March',
      initiated_by: { user_id: staff.userId, name: 'Pat Person' },
      first_review: null,
      policy: { currency: 'NGN', payout_from: 1000, daily_from: 1200 },
      policy_reason: 'Your policy requires approval from 1000.00 NGN on.',
      may_review: true,
      decisions: ['approve', 'reject'],
      reason: null,
    })
  })

  it('the reason why somebody may not approve is what the review itself answers', async () => {
    const id = await initiate(staff, 1500)
    const own = await rowFor(staff, id)
    expect(own).toMatchObject({ may_review: false, decisions: [] })
    expect((await review(id, staff)).body.message).toBe(own.reason)
    const other = await addPerson(t, org.orgId, 'staff')
    expect((await review(id, other, { decision: 'approve', comments: 'Seen' })).status).toBe(200)
    const again = await rowFor(other, id)
    expect(again).toMatchObject({
      status: 'reviewed',
      may_review: false,
      first_review: { user_id: other.userId, name: 'Pat Person', comments: 'Seen' },
    })
    expect((await review(id, other)).body.message).toBe(again.reason)
    const third = await addPerson(t, org.orgId, 'staff')
    const second = await rowFor(third, id)
    expect(second).toMatchObject({ may_review: false, decisions: ['reject'] })
    expect((await review(id, third)).body.message).toBe(second.reason)
    expect(await rowFor(admin, id)).toMatchObject({ may_review: true, reason: null })
  })

  it('a viewer sees what waits and that they lack the permission', async () => {
    const id = await initiate(staff, 1500)
    expect(await rowFor(viewer, id)).toMatchObject({
      may_review: false,
      decisions: [],
      reason: 'You lack the permission payouts:approve.',
    })
  })

  it('a payment that the daily sum holds back names that sum', async () => {
    await initiate(staff, 900)
    const id = await initiate(staff, 900)
    const { policy_reason } = await rowFor(admin, id)
    expect(policy_reason).toContain('last 24 hours reaches 1200.00 NGN')
  })

  it.each(['approved twice', 'rejected', 'canceled'])('a payment that was %s waits no more', async (how) => {
    const id = await initiate(staff, 1500)
    if (how === 'approved twice') {
      const first = await addPerson(t, org.orgId, 'staff')
      await review(id, first)
      expect((await review(id, admin)).body.status).toBe('confirmed')
    } else if (how === 'rejected') await review(id, admin, { decision: 'reject', comments: 'No' })
    else await t.call('POST', `/v1/payments/${id}/cancel`, { as: staff.token })
    expect((await list(admin.token)).body.data).toEqual([])
  })

  it('pages, newest first, and exports as CSV', async () => {
    const ids = [await initiate(staff, 1500), await initiate(staff, 1600), await initiate(staff, 1700)]
    const first = (await list(admin.token, '?limit=2')).body
    expect(first.meta.count).toBe(2)
    const next = await list(admin.token, `?limit=2&last_evaluated_key=${first.meta.last_evaluated_key}`)
    expect([...first.data, ...next.body.data].map(({ payment_id }: Json) => payment_id)).toEqual(
      ids.toReversed(),
    )
    expect(next.body.meta.last_evaluated_key).toBeNull()
    expect(await exportCsv(t, path, admin.token)).toHaveLength(4)
  })

  it('shows nothing of another organisation', async () => {
    await initiate(staff, 1500)
    expect((await list((await openPayments(t)).credential)).body.data).toEqual([])
  })
})

describe('400', () => {
  it.each(['?limit=0', '?last_evaluated_key=x'])('%s', async (query) => {
    expect((await list(admin.token, query)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})
