import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let staff: Person
let admin: Person
let beneficiary: string
beforeEach(async () => {
  org = await openPayments(t)
  staff = await addPerson(t, org.orgId, 'staff')
  admin = await addPerson(t, org.orgId, 'org-admin')
  beneficiary = await org.addBeneficiary(bankBeneficiary())
  await setPolicy(1000)
})

const setPolicy = (payout_from: number): Promise<CallAnswer> =>
  org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, {
    policies: [{ currency: 'NGN', payout_from }],
  })
const payout = (amount: number): Json => bankPayout(beneficiary, { amount, target_amount: amount })
/** By the organisation's first administrator, who therefore may not review it. */
const startHeld = (): Promise<string> => org.start(payout(1500))
const review = (
  id: string,
  as: Person | string,
  decision = 'approve',
  more: object = {},
): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/review`, {
    as: typeof as === 'string' ? as : as.token,
    body: { decision, ...more },
  })

describe('200', () => {
  it('from the threshold on a payout waits: nothing is held, nothing is sent', async () => {
    const answer = await org.initiate(payout(1000))
    expect(answer.body.response).toMatchObject({ success: true, status: 'initiated', provider: null })
    expect(answer.body.response).not.toHaveProperty('next_action')
    const id = answer.body.response.payment_id
    expect(await org.attempts(id)).toEqual([])
    expect(await org.postings(id)).toEqual([])
    expect((await org.advance(id)).nextPollMs).toBeUndefined()
    expect(await org.accepted(id)).toEqual([])
  })

  it('below it and for payins no approval is needed', async () => {
    expect((await org.initiate(payout(999.99))).body.response.status).toBe('processing')
    const { response } = (await org.initiate(bankTransferPayin({ amount: 5000, target_amount: 5000 }))).body
    expect(response.status).toBe('pending')
  })

  it('four eyes: one member approves, another org-admin confirms, and it is dispatched', async () => {
    const id = await startHeld()
    const first = await review(id, staff, 'approve', { comments: 'Invoice 7 seen' })
    expect([first.status, first.body.status, first.body.comments]).toEqual([
      200,
      'reviewed',
      'Invoice 7 seen',
    ])
    expect(await org.accepted(id)).toEqual([])
    const second = await review(id, admin)
    expect([second.status, second.body.status]).toEqual([200, 'confirmed'])
    expect(await org.postings(id)).toMatchObject([{ kind: 'payout.hold', phase: 'pending' }])
    expect(await org.accepted(id)).toEqual([])
    const { rowCount } = await t.owner.query(
      `select from outbox where org_id = $1 and service = 'Payments' and payload->>'paymentId' = $2`,
      [org.orgId, id],
    )
    expect(rowCount).toBe(1)
    await org.advance(id)
    expect((await org.record(id)).status).toBe('processing')
    expect(await org.accepted(id)).toMatchObject([{ kind: 'payout', amount: '1500.00' }])
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('completed')
    expect((await org.postings(id)).map(({ kind }) => kind)).toEqual([
      'payout.hold',
      'payout.hold.resolved',
      'payout.settled',
    ])
  })

  it('each decision stands in the timeline with its person, and each move is an event', async () => {
    const id = await startHeld()
    await review(id, staff, 'approve', { comments: 'Seen' })
    await review(id, admin)
    const name = 'Pat Person'
    const summary = `${name} decided: approve`
    const reviews = (await org.timeline(id)).filter(({ kind }) => kind === 'review')
    expect(reviews).toMatchObject([
      { actors: [{ user_id: staff.userId, name }], summary, data: { comments: 'Seen' } },
      { actors: [{ user_id: admin.userId, name }], summary },
    ])
    expect(await org.eventTypes(id)).toEqual(['transaction.updated', 'transaction.updated'])
  })

  it.each([
    ['at once', false],
    ['after the first approval', true],
  ])('rejected %s: it ends, with the reason, and nothing was ever held', async (_name, isReviewed) => {
    const id = await startHeld()
    if (isReviewed) await review(id, admin)
    const answer = await review(id, staff, 'reject', { comments: 'Not ours' })
    expect(answer.body).toMatchObject({
      status: 'rejected',
      comments: 'Not ours',
      failure: { code: 'REJECTED' },
    })
    expect(await org.postings(id)).toEqual([])
    expect(await org.eventTypes(id)).toContain('payment.failed')
    expect((await review(id, admin)).status).toBe(409)
  })

  it('the first approval may come from an org-admin, the second then from another', async () => {
    const id = await startHeld()
    const another = await addPerson(t, org.orgId, 'org-admin')
    expect((await review(id, another)).body.status).toBe('reviewed')
    expect((await review(id, admin)).body.status).toBe('confirmed')
  })
})

describe('400', () => {
  it.each([{}, { decision: 'maybe' }, { decision: 'approve', comments: '' }])('%j', async (body) => {
    const id = await startHeld()
    const answer = await t.call('POST', `/v1/payments/${id}/review`, { as: staff.token, body })
    expect(answer.status).toBe(400)
  })
})

describe('403', () => {
  it('nobody reviews their own, in either step, by token or by key', async () => {
    const own = await org.call('POST', '/v1/public/api-keys', { name: 'the same person' })
    const id = await startHeld()
    for (const credential of [org.credential, own.body.data.api_key])
      expect((await review(id, credential)).status).toBe(403)
    await review(id, staff)
    for (const credential of [org.credential, own.body.data.api_key])
      for (const decision of ['approve', 'reject'])
        expect((await review(id, credential, decision)).status).toBe(403)
    expect((await org.record(id)).status).toBe('reviewed')
  })

  it('the second approval is not a staff member’s to give', async () => {
    const id = await startHeld()
    const another = await addPerson(t, org.orgId, 'staff')
    await review(id, staff)
    expect((await review(id, another)).status).toBe(403)
    expect((await org.record(id)).status).toBe('reviewed')
  })

  it('a viewer approves nothing', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    expect((await review(await startHeld(), viewer)).status).toBe(403)
  })
})

describe('404', () => {
  it('a payment of another organisation', async () => {
    const id = await startHeld()
    const stranger = await openPayments(t)
    expect((await review(id, stranger.credential)).status).toBe(404)
    expect((await org.record(id)).status).toBe('initiated')
  })
})

describe('409', () => {
  it('nobody approves twice', async () => {
    const id = await startHeld()
    await review(id, admin)
    const again = await review(id, admin)
    expect([again.status, again.body.status]).toEqual([409, 'error'])
    expect((await org.record(id)).status).toBe('reviewed')
  })

  it('nor twice at the same moment', async () => {
    const id = await startHeld()
    const answers = await Promise.all(Array.from({ length: 3 }, () => review(id, admin)))
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(['200', '409', '409'])
    expect((await org.record(id)).status).toBe('reviewed')
  })

  it('a payment that waits for no review', async () => {
    const under = await org.start(payout(10))
    expect((await review(under, staff)).status).toBe(409)
    const confirmed = await startHeld()
    await review(confirmed, staff)
    await review(confirmed, admin)
    expect((await review(confirmed, await addPerson(t, org.orgId, 'org-admin'))).status).toBe(409)
  })
})
