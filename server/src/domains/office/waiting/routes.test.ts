import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
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
let paymentId: string
let batchId: string
let exceptionId: string
let requestId: string
beforeAll(async () => {
  org = await openPayments(t)
  staff = await addPerson(t, org.orgId, 'staff')
  admin = await addPerson(t, org.orgId, 'org-admin')
  viewer = await addPerson(t, org.orgId, 'viewer')
  const beneficiary = await org.addBeneficiary(bankBeneficiary())
  await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
    policies: [{ currency: 'NGN', payout_from: 1000 }],
  })
  const body = bankPayout(beneficiary, { description: 'March' })
  const started = await t.call('POST', '/v1/payments-init/initiate', { as: staff.token, body })
  paymentId = started.body.response.payment_id
  const row = { beneficiary_id: beneficiary, amount: 2000, currency: 'NGN', client_reference: 'a' }
  const batch = await t.call('POST', '/v1/payouts/batches', { as: staff.token, body: { rows: [row] } })
  batchId = batch.body.data.batch_id
  const loosened = await t.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
    as: org.credential,
    body: { policies: [{ currency: 'NGN', payout_from: 9000 }] },
  })
  requestId = loosened.body.data.request_id
  exceptionId = newId()
  await t.owner.query(
    `insert into exceptions (org_id, exception_id, kind, summary, suggested_action, finding_key, assignee_id)
     values ($1, $2, 'missing_here', 'Money nobody knows.', 'Look.', $3, $4)`,
    [org.orgId, exceptionId, exceptionId, staff.userId],
  )
})

const waitingFor = async (as: string): Promise<Json> => {
  const answer = await t.call('GET', '/v1/users/me/waiting', { as })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const idsOf = (group: Json): string[] => group.items.map(({ id }: Json) => id)

describe('200', () => {
  it('an org-admin: payouts, batches and changes of others', async () => {
    const data = await waitingFor(admin.token)
    expect(data.payouts).toMatchObject({
      count: 1,
      has_more: false,
      items: [
        {
          id: paymentId,
          org_id: org.orgId,
          summary: 'March',
          amount: 1500.75,
          currency: 'NGN',
          requested_by: staff.userId,
          due_by: null,
        },
      ],
    })
    expect(idsOf(data.batches)).toEqual([batchId])
    expect(data.change_requests.items).toMatchObject([
      { id: requestId, due_by: expect.any(String), summary: expect.stringContaining('NGN') },
    ])
    expect(data.exceptions).toEqual({ count: 0, has_more: false, items: [] })
    expect(data.total).toBe(3)
  })

  it('what one asked for does not wait for oneself', async () => {
    expect(await waitingFor(staff.token)).toMatchObject({
      total: 1,
      payouts: { count: 0 },
      batches: { count: 0 },
      change_requests: { count: 0 },
      exceptions: { count: 1, items: [{ id: exceptionId, summary: 'Money nobody knows.' }] },
    })
    expect((await waitingFor(org.credential)).change_requests.count).toBe(0)
  })

  it('a viewer has nothing to decide', async () => {
    expect((await waitingFor(viewer.token)).total).toBe(0)
  })

  it('resolutions and adjustments are counted apart, for the operator across organisations', async () => {
    const expires = new Date(Date.now() + 3_600_000)
    for (const kind of ['payment.resolve', 'ledger.adjust'])
      await t.owner.query(
        `insert into change_requests (org_id, request_id, kind, payload, summary, approver, requested_by, expires_at)
         values ($1, $2, $3, '{}', 'Decide.', 'operator', $4, $5)`,
        [org.orgId, newId(), kind, admin.userId, expires],
      )
    const operator = await waitingFor(t.seed.platformAdmin.api_key)
    expect(operator).toMatchObject({
      resolutions: { count: 1, items: [{ org_id: org.orgId }] },
      ledger_adjustments: { count: 1 },
      change_requests: { count: 0 },
    })
    expect(await waitingFor(admin.token)).toMatchObject({ resolutions: { count: 0 } })
    await t.owner.query(`delete from change_requests where approver = 'operator'`)
  })

  it('a dispute that is due within a week, not one that is answered or due later', async () => {
    const disputeOf = async (state: string, days: number): Promise<string> => {
      const disputeId = newId()
      await t.owner.query(
        `insert into disputes (org_id, dispute_id, payment_id, provider, account_id, custody, provider_ref, state,
           reason, provider_reason, provider_status, amount_minor, currency, due_by)
         values ($1, $2, $3, 'stripe', $4, 'pooled', $7, $5, 'fraudulent', '', '', 100, 'GBP',
           now() + make_interval(days => $6))`,
        [org.orgId, disputeId, paymentId, newId(), state, days, disputeId],
      )
      return disputeId
    }
    const due = await disputeOf('needs_response', 3)
    await disputeOf('needs_response', 20)
    await disputeOf('under_review', 3)
    const { disputes } = await waitingFor(staff.token)
    expect(disputes).toMatchObject({ count: 1, items: [{ id: due, amount: 1, currency: 'GBP' }] })
    expect((await waitingFor(viewer.token)).disputes.count).toBe(0)
  })

  it('nothing of another organisation', async () => {
    expect((await waitingFor((await openPayments(t)).credential)).total).toBe(0)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', '/v1/users/me/waiting')).status).toBe(401)
  })
})
