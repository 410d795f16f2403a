import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, approveChange, type Person } from '../../../../test/app/people.ts'
import { assertAuditClean } from '../../../../test/app/test-audit.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
  createTestClock,
  installationAccountId,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { lift, suspendOrganization } from '../../compliance/suspensions/testing/suspend-as-operator.ts'
import { advanceRefund } from './advance-refund.ts'

/** Refunds that wait for approval. */
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
let requester: Person
let staff: Person
let admin: Person
beforeEach(async () => {
  org = await openPayments(t)
  requester = await addPerson(t, org.orgId, 'org-admin')
  staff = await addPerson(t, org.orgId, 'staff')
  admin = await addPerson(t, org.orgId, 'org-admin')
  await setPolicy({ refund_from: 10 })
})
afterEach(async () => {
  await assertAuditClean(t.owner)
})

const policiesPath = (): string => `/v1/organizations/${org.orgId}/approval-policies`
const setPolicy = (limits: Json): Promise<CallAnswer> =>
  org.call('PUT', policiesPath(), { policies: [{ currency: 'GBP', payout_from: 1000, ...limits }] })
const paid = async (body = cardPayin()): Promise<{ id: string; reference: string }> => {
  const id = await org.start(body)
  await t.simulator.settle({ all: true })
  expect((await org.record(id)).status).toBe('completed')
  return { id, reference: (await org.attempts(id)).at(-1)?.data.reference }
}
const ask = (id: string, body: Json = {}, as = requester): Promise<CallAnswer> =>
  t.call('POST', `/v1/payments/${id}/refund`, { as: as.token, body: { reason: 'Returned', ...body } })
const waiting = async (id: string, body: Json = {}): Promise<string> => {
  const { status, body: answer } = await ask(id, body)
  expect([status, answer.data.status]).toEqual([201, 'awaiting_approval'])
  return answer.data.refund_id
}
const review = (refundId: string, as: Person, decision = 'approve'): Promise<CallAnswer> =>
  t.call('POST', `/v1/refunds/${refundId}/review`, { as: as.token, body: { decision, comments: 'Seen' } })
const approve = async (refundId: string): Promise<CallAnswer> => {
  expect((await review(refundId, staff)).status).toBe(200)
  return review(refundId, admin)
}
const withdraw = (refundId: string, as: Person): Promise<CallAnswer> =>
  t.call('POST', `/v1/refunds/${refundId}/withdraw`, { as: as.token })
const only = async (id: string): Promise<Json> =>
  (await org.call('GET', `/v1/payments/${id}/refunds`)).body.data[0]
const outcomeOf = async (id: string): Promise<unknown[]> => {
  const { status, failure } = await only(id)
  return [status, failure?.code]
}
const sentRefunds = (): number => t.simulator.log().filter(({ kind }) => kind === 'refund').length
const pounds = async (): Promise<[available: number, held: number]> => {
  const { data } = (await org.call('GET', `/v1/organizations/${org.orgId}/balances`)).body
  const { available, held } = data.find((one: Json) => one.currency === 'GBP')
  return [available, held]
}
const awaiting = async (as: Person): Promise<Json[]> =>
  (await t.call('GET', '/v1/refunds/awaiting-review', { as: as.token })).body.data
const inboxOf = async ({ userId }: Person): Promise<string[]> => {
  const { rows } = await t.owner.query<{ template: string }>(
    `select template from notifications where org_id = $1 and user_id = $2 and template = 'refund-review'`,
    [org.orgId, userId],
  )
  return rows.map(({ template }) => template)
}

describe('a refund that reaches the policy', () => {
  it('waits, holds its amount, and is sent after two approvals', async () => {
    const { id } = await paid()
    const [before] = await pounds()
    const sent = sentRefunds()
    const refundId = await waiting(id)
    expect(await pounds()).toEqual([before - 25, 25])
    expect((await ask(id, { amount: 1 })).status).toBe(409)
    expect([sentRefunds(), await inboxOf(staff), await inboxOf(requester)]).toEqual([
      sent,
      ['refund-review'],
      [],
    ])

    const first = await review(refundId, staff)
    expect([first.status, first.body.data.status, sentRefunds()]).toEqual([200, 'awaiting_approval', sent])
    expect(await inboxOf(admin)).toEqual(['refund-review', 'refund-review'])
    const second = await review(refundId, admin)
    expect([second.status, second.body.data.status, sentRefunds()]).toEqual([200, 'completed', sent + 1])
    expect(await org.record(id)).toMatchObject({ status: 'refunded', refunded_amount: 25 })
    expect(await pounds()).toEqual([before - 25, 0])
    expect((await review(refundId, staff)).status).toBe(409)
  })

  it('does not wait below the amount, and nothing waits without the amount', async () => {
    const { id } = await paid()
    expect((await ask(id, { amount: 9.99 })).body.data).toMatchObject({
      status: 'completed',
      approval_reason: null,
    })
    await approveChange(t, await setPolicy({}))
    expect((await ask(id, { amount: 15 })).body.data.status).toBe('completed')
  })

  it('waits once the refunds of a day reach their sum, also two at the same moment', async () => {
    await approveChange(t, await setPolicy({ refund_daily_from: 12 }))
    const payins = [await paid(), await paid(), await paid()]
    expect((await ask(payins[0]?.id ?? '', { amount: 5 })).body.data.status).toBe('completed')
    const both = await Promise.all(payins.slice(1).map(({ id }) => ask(id, { amount: 4 })))
    const found = both.map(({ body }) => body.data)
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['awaiting_approval', 'completed']))
    expect(found.find(({ status }) => status === 'awaiting_approval').approval_reason).toBe(
      'With this refund, the refunds of the last 24 hours reach 12.00 GBP, from which your policy requires approval.',
    )
  })

  it('waits by its value in another currency that no policy is about', async () => {
    const { id } = await paid(bankTransferPayin({ amount: 200_000, target_amount: 200_000 }))
    expect((await ask(id, { amount: 100 })).body.data.status).not.toBe('awaiting_approval')
    await t.simulator.settle({ all: true })
    expect((await ask(id, { amount: 150_000 })).body.data.status).toBe('awaiting_approval')
  })

  it('is listed for those who can decide, with what they may do', async () => {
    const { id } = await paid()
    const refundId = await waiting(id)
    const [task] = await awaiting(staff)
    expect(task).toMatchObject({
      refund_id: refundId,
      payment_id: id,
      amount: 25,
      requested_by: { user_id: requester.userId, name: 'Pat Person' },
      first_review: null,
      policy_reason: 'Your policy requires approval of refunds from 10.00 GBP on.',
      may_review: true,
      decisions: ['approve', 'reject'],
    })
    expect((await awaiting(requester))[0]).toMatchObject({ may_review: false, decisions: [] })
    const countFor = async (as: Person): Promise<number> =>
      (await t.call('GET', '/v1/users/me/waiting', { as: as.token })).body.data.refunds.count
    expect([await countFor(staff), await countFor(requester)]).toEqual([1, 0])
    await review(refundId, staff)
    expect([await countFor(staff), await countFor(admin)]).toEqual([0, 1])
    expect((await awaiting(admin))[0].first_review).toMatchObject({ user_id: staff.userId, comments: 'Seen' })
    const listed = await org.call('GET', '/v1/refunds?status=awaiting_approval')
    expect(listed.body.data.map((one: Json) => one.refund_id)).toEqual([refundId])
    await review(refundId, admin)
    expect(await awaiting(admin)).toEqual([])
    const decisions = (await org.timeline(id)).filter(({ kind }) => kind === 'review')
    expect(decisions.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('decided about a refund: approve'),
      expect.stringContaining('decided about a refund: approve'),
    ])
  })
})

describe('403', () => {
  it('nobody reviews their own refund or twice, staff gives no second approval, others do not withdraw it', async () => {
    const refundId = await waiting((await paid()).id)
    expect((await review(refundId, requester)).status).toBe(403)
    expect((await review(refundId, staff)).status).toBe(200)
    expect((await review(refundId, staff)).status).toBe(409)
    expect((await review(refundId, await addPerson(t, org.orgId, 'staff'))).status).toBe(403)
    expect((await review(refundId, await addPerson(t, org.orgId, 'viewer'))).status).toBe(403)
    expect((await withdraw(refundId, admin)).status).toBe(403)
  })
})

describe('404', () => {
  it('another organisation can neither see, review nor withdraw it', async () => {
    const refundId = await waiting((await paid()).id)
    const stranger = await openPayments(t)
    for (const action of ['review', 'withdraw']) {
      const body = action === 'review' ? { decision: 'approve' } : undefined
      expect((await stranger.call('POST', `/v1/refunds/${refundId}/${action}`, body)).status).toBe(404)
    }
    expect((await stranger.call('GET', '/v1/refunds/awaiting-review')).body.data).toEqual([])
  })
})

describe('a refund that waits ends, and gives its amount back', () => {
  it.each<[string, string, (refundId: string) => Promise<CallAnswer>]>([
    ['is rejected', 'REFUND_REJECTED', (refundId) => review(refundId, staff, 'reject')],
    ['is withdrawn by its requester', 'REFUND_WITHDRAWN', (refundId) => withdraw(refundId, requester)],
  ])('when it %s', async (_what, code, end) => {
    const { id } = await paid()
    const before = await pounds()
    const refundId = await waiting(id)
    const ended = await end(refundId)
    expect([ended.status, await outcomeOf(id), await pounds()]).toEqual([200, ['failed', code], before])
    expect((await approve(refundId).catch(() => undefined))?.status ?? 409).toBe(409)
    expect((await withdraw(refundId, requester)).status).toBe(409)
    expect(await org.record(id)).toMatchObject({ status: 'completed', refunded_amount: 0 })
    // Another one can be requested.
    await waiting(id)
  })

  it('when a dispute takes the money, which then exceeds nothing', async () => {
    const { id, reference } = await paid()
    const refundId = await waiting(id)
    await t.simulator.dispute('stripe', { reference, action: 'open' })
    expect(await outcomeOf(id)).toEqual(['failed', 'NOT_REFUNDABLE'])
    expect((await review(refundId, staff)).status).toBe(409)
    const kinds = (await org.exceptions()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('dispute_'))).toEqual([])
  })

  it('when the provider reverses the payment', async () => {
    await setPolicy({ refund_from: 0.01 })
    const { id, reference } = await paid(mobileMoneyPayin())
    await waiting(id)
    await t.simulator.reverse('pawapay', { reference })
    expect([await outcomeOf(id), (await org.record(id)).status]).toEqual([
      ['failed', 'NOT_REFUNDABLE'],
      'refunded',
    ])
  })

  it('when somebody refunds the payment at the provider, and not when they refund less than is left', async () => {
    const { id, reference } = await paid()
    const refundId = await waiting(id, { amount: 10 })
    await t.simulator.refund('stripe', { reference, amount: '10.00' })
    expect((await org.record(id)).refunded_amount).toBe(10)
    const { rows } = await t.owner.query('select state from refunds where refund_id = $1', [refundId])
    expect(rows).toEqual([{ state: 'awaiting_approval' }])
    await t.simulator.refund('stripe', { reference, amount: '10.00' })
    expect((await org.record(id)).refunded_amount).toBe(20)
    expect(await outcomeOf(id)).toEqual(['failed', 'NOT_REFUNDABLE'])
    const kinds = (await org.exceptions(`&payment_id=${id}`)).map(({ kind }) => kind)
    expect(kinds).not.toContain('refund_exceeds_payment')
  })

  it('at its approval, when its requester may not refund any more', async () => {
    const { id } = await paid()
    const before = await pounds()
    const refundId = await waiting(id)
    await review(refundId, staff)
    const path = `/v1/organizations/${org.orgId}/members/${requester.userId}`
    await approveChange(t, await org.call('DELETE', path))
    const sent = sentRefunds()
    expect((await review(refundId, admin)).body.data).toMatchObject({
      status: 'failed',
      failure: { code: 'REQUESTER_NOT_ALLOWED' },
    })
    expect([sentRefunds(), await pounds()]).toEqual([sent, before])
  })
})

describe('when it is approved days later', () => {
  it('a suspension keeps it waiting, and it is sent afterwards', async () => {
    const refundId = await waiting((await paid()).id)
    await review(refundId, staff)
    const suspension = await suspendOrganization(t, org.orgId)
    expect(await review(refundId, admin)).toMatchObject({
      status: 403,
      body: { code: 'ORGANIZATION_SUSPENDED' },
    })
    await lift(t, suspension)
    expect((await review(refundId, admin)).body.data.status).toBe('completed')
  })

  it('the account that took the payment sends it, even if it is retired', async () => {
    const { id } = await paid()
    const refundId = await waiting(id)
    const account = await installationAccountId(t, 'stripe')
    await t.owner.query(`update provider_accounts set status = 'retired' where account_id = $1`, [account])
    const { body } = await approve(refundId)
    await t.owner.query(`update provider_accounts set status = 'active' where account_id = $1`, [account])
    expect(body.data.status).toBe('completed')
  })

  it('of two who approve it at the same moment, one sends it', async () => {
    const refundId = await waiting((await paid()).id)
    await review(refundId, staff)
    const sent = sentRefunds()
    const other = await addPerson(t, org.orgId, 'org-admin')
    const both = await Promise.all([review(refundId, admin), review(refundId, other)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(sentRefunds()).toBe(sent + 1)
  })
})

/** Last, because webhooks of the simulator are too old for a clock that has moved on. */
describe('when days pass', () => {
  it('the refunds of the day before do not count any more', async () => {
    await approveChange(t, await setPolicy({ refund_daily_from: 12 }))
    const { id } = await paid()
    expect((await ask(id, { amount: 11 })).body.data.status).toBe('completed')
    clock.pass(25 * 60 * 60_000)
    expect((await ask(id, { amount: 11 })).body.data.status).toBe('completed')
  })

  it('a lost answer is judged by the approval, not by the request', async () => {
    const { id } = await paid()
    const refundId = await waiting(id)
    clock.pass(30 * 24 * 60 * 60_000)
    await review(refundId, staff)
    t.simulator.setFaults('stripe', [{ on: 'refund', fault: 'error_500' }])
    expect((await review(refundId, admin)).body.data.status).toBe('processing')
    t.simulator.setFaults('stripe', [])
    const ids = { orgId: org.orgId, refundId, poll: 0 }
    expect(await advanceRefund(t.deps, ids)).not.toBeUndefined()
    expect((await org.exceptions()).map(({ kind }) => kind)).not.toContain('refund_unknown')
    expect((await only(id)).status).toBe('processing')
  })
})
