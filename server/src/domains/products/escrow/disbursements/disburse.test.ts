import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { addPerson } from '../../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { escrowEvents, runDisbursement, statesOf } from '../../../../../test/worlds/test-disbursement.ts'
import {
  escrowPath,
  fixed,
  openEscrow,
  percent,
  type TestEscrow,
} from '../../../../../test/worlds/test-escrow.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'

let escrow: TestEscrow
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  escrow = await openEscrow(t)
})

const ready = async (expected: number, parties: Json[]): Promise<string> => {
  const { milestone_id } = await escrow.milestone(expected, parties)
  expect((await escrow.fund(expected)).status).toBe(200)
  await escrow.approve(milestone_id)
  return milestone_id
}
const run = (milestoneId: string): Promise<number | undefined> =>
  runDisbursement(t, { orgId: escrow.org.orgId, milestoneId })
const balanceOf = async (party: Json): Promise<number> => (await escrow.org.account(party.account_id)).balance
const exceptions = (): Promise<Json[]> => escrow.org.exceptions('&kind=escrow_payout_failed')

describe('200', () => {
  it('pays accounts by book transfer immediately and exactly, and is disbursed', async () => {
    const parties = [await escrow.accountParty(), await escrow.accountParty(), await escrow.accountParty()]
    const thirds = parties.map((party, place) => percent(party, place === 2 ? 33.333334 : 33.333333))
    const id = await ready(100, thirds)
    const ordered = await escrow.disburse(id)
    expect(ordered.body.data).toMatchObject({ status: 'disbursing', disbursed_total: 0 })
    expect(await run(id)).toBeUndefined()
    expect(await escrow.readMilestone(id)).toMatchObject({
      status: 'disbursed',
      disbursed_total: 100,
      disbursed_at: expect.stringMatching(/Z$/),
    })
    expect(await Promise.all(parties.map(balanceOf))).toEqual([33.33, 33.33, 33.34])
    expect(await escrow.read()).toMatchObject({ balance: 0, disbursed_total: 100 })
    expect(await escrowEvents(t, id)).toEqual([
      'escrow.milestone_updated submitted',
      'escrow.milestone_updated approved',
      'escrow.milestone_updated disbursing',
      'escrow.milestone_updated disbursed',
    ])
  })

  it('a payout counts as disbursed when it is completed, not before', async () => {
    const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
    const id = await ready(100, [fixed(ada, 30), percent(ben, 100)])
    await escrow.disburse(id)
    await run(id)
    const inProgress = await escrow.readMilestone(id)
    expect(inProgress).toMatchObject({ status: 'disbursing', disbursed_total: 30 })
    expect(statesOf(inProgress)).toEqual({
      [ada.party_id]: 'paid 30',
      [ben.party_id]: 'processing 70',
    })
    await t.simulator.settle({ all: true })
    // The payout's transaction has updated the share already; the engine only completes the milestone.
    expect(await escrow.readMilestone(id)).toMatchObject({ status: 'disbursing', disbursed_total: 100 })
    await run(id)
    expect((await escrow.readMilestone(id)).status).toBe('disbursed')
    const payout = inProgress.disbursements.find((one: Json) => one.party_id === ben.party_id)
    expect(await escrow.org.accepted(payout.transaction_id)).toHaveLength(1)
    expect((await escrow.org.record(payout.transaction_id)).metadata).toEqual({
      escrow_id: escrow.escrowId,
      milestone_id: id,
      party_id: ben.party_id,
    })
  })

  it('each party is paid once, however often and concurrently the engine runs', async () => {
    const parties = [await escrow.accountParty(), await escrow.payoutParty(), await escrow.payoutParty()]
    const id = await ready(100, [fixed(parties[0], 20), fixed(parties[1], 30), fixed(parties[2], 50)])
    await escrow.disburse(id)
    await Promise.allSettled(Array.from({ length: 8 }, () => run(id)))
    await run(id)
    await t.simulator.settle({ all: true })
    await Promise.all(Array.from({ length: 4 }, () => run(id)))
    const done = await escrow.readMilestone(id)
    expect(done).toMatchObject({ status: 'disbursed', disbursed_total: 100 })
    const payouts = done.disbursements.filter((one: Json) => one.party_id !== parties[0].party_id)
    expect(payouts).toHaveLength(parties.length - 1)
    for (const { transaction_id } of payouts)
      expect(await escrow.org.accepted(transaction_id)).toHaveLength(1)
    expect(await balanceOf(parties[0])).toBe(20)
  })

  it('a failing payout is tried three times and then raised as an exception; the others are paid', async () => {
    const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
    // With 14 cents the bank accepts the payout and fails it.
    const id = await ready(100, [percent(ada, 100), fixed(ben, 20.14)])
    await escrow.disburse(id)
    for (const waitMs of [60_000, 600_000]) {
      await run(id)
      await t.simulator.settle({ all: true })
      expect(await run(id)).toBe(waitMs)
      expect(await exceptions()).toEqual([])
      expect(await run(id)).toBeGreaterThan(0)
      clock.pass(waitMs)
    }
    await run(id)
    await t.simulator.settle({ all: true })
    expect(await run(id)).toBeUndefined()
    const stuck = await escrow.readMilestone(id)
    expect(stuck).toMatchObject({ status: 'disbursing', disbursed_total: 79.86 })
    expect(statesOf(stuck)).toMatchObject({ [ben.party_id]: 'failed 20.14' })
    const [share] = stuck.disbursements.filter((one: Json) => one.party_id === ben.party_id)
    expect(share).toMatchObject({ tries: 3, failure: { code: expect.any(String) } })
    expect(await exceptions()).toMatchObject([
      { payment_id: share.transaction_id, summary: expect.stringContaining(ben.party_id) },
    ])
    expect((await escrowEvents(t, id)).at(-1)).toBe('escrow.disbursement_failed disbursing')
    expect(await escrow.read()).toMatchObject({ balance: 20.14 })
  })

  it('disbursing again retries the stuck shares, and nobody is paid twice', async () => {
    const [ada, ben] = [await escrow.accountParty(), await escrow.accountParty()]
    const id = await ready(100, [percent(ada, 50), percent(ben, 50)])
    const freeze = (verb: string): Promise<unknown> =>
      escrow.org.call('POST', `/v1/virtual-accounts/${ben.account_id}/${verb}`, {})
    await freeze('freeze')
    await escrow.disburse(id)
    for (let tries = 0; tries < 3; tries++) {
      await run(id)
      clock.pass(600_000)
    }
    expect(statesOf(await escrow.readMilestone(id))).toMatchObject({ [ben.party_id]: 'failed 50' })
    expect(await exceptions()).toMatchObject([{ payment_id: null }])
    await freeze('unfreeze')
    expect((await escrow.disburse(id)).status).toBe(200)
    expect(await escrow.disburse(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('disbursed') },
    })
    await run(id)
    expect((await escrow.readMilestone(id)).status).toBe('disbursed')
    expect([await balanceOf(ada), await balanceOf(ben)]).toEqual([50, 50])
  })

  it('a returned payout lowers the disbursed total in the same transaction and raises an exception', async () => {
    const ben = await escrow.payoutParty()
    // With 25 cents the payout is completed and returned afterwards.
    const id = await ready(20.25, [percent(ben, 100)])
    await escrow.disburse(id)
    await run(id)
    await t.simulator.settle({ all: true })
    await run(id)
    const [{ transaction_id }] = (await escrow.readMilestone(id)).disbursements
    await escrow.org.advance(transaction_id)
    expect((await escrow.org.record(transaction_id)).status).toBe('refunded')
    expect(await escrow.readMilestone(id)).toMatchObject({ disbursed_total: 0 })
    await run(id)
    expect(await escrow.readMilestone(id)).toMatchObject({ status: 'disbursing' })
    expect(await exceptions()).toHaveLength(1)
    expect((await escrow.call('POST', '/cancel', {})).body.data).toMatchObject({
      balance: 0,
      returned_total: 20.25,
    })
  })

  it('a payout returned after the cancellation is paid back by canceling again', async () => {
    const id = await ready(20.25, [percent(await escrow.payoutParty(), 100)])
    await escrow.disburse(id)
    await run(id)
    const [{ transaction_id }] = (await escrow.readMilestone(id)).disbursements
    const [{ data }] = await escrow.org.attempts(transaction_id)
    await t.simulator.settle({ reference: data.reference })
    await run(id)
    const cancel = (): Promise<CallAnswer> => escrow.call('POST', '/cancel', {})
    expect((await cancel()).body.data).toMatchObject({ disbursed_total: 20.25, returned_total: 0 })
    expect((await escrow.readMilestone(id)).status).toBe('disbursed')
    expect(await cancel()).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('canceled') },
    })
    await t.simulator.settle({ all: true })
    await escrow.org.advance(transaction_id)
    expect((await escrow.org.record(transaction_id)).status).toBe('refunded')
    expect((await cancel()).body.message).toContain('in progress')
    await run(id)
    expect((await cancel()).body.data).toMatchObject({
      disbursed_total: 0,
      returned_total: 20.25,
      balance: 0,
    })
    expect((await escrow.readMilestone(id)).status).toBe('canceled')
  })

  it('a payout over the limit waits for approval; once rejected, it is not retried', async () => {
    const policies = [{ currency: 'NGN', payout_from: 50 }]
    const path = `/v1/organizations/${escrow.org.orgId}/approval-policies`
    expect((await escrow.org.call('PUT', path, { policies })).status).toBe(200)
    const id = await ready(100, [percent(await escrow.payoutParty(), 100)])
    await escrow.disburse(id)
    await run(id)
    const [{ transaction_id, status }] = (await escrow.readMilestone(id)).disbursements
    expect(status).toBe('processing')
    const { token } = await addPerson(t, escrow.org.orgId, 'org-admin')
    const body = { decision: 'reject', comments: 'No.' }
    const review = await t.call('POST', `/v1/payments/${transaction_id}/review`, { as: token, body })
    expect(review.status).toBe(200)
    expect(await run(id)).toBeUndefined()
    expect(await escrow.readMilestone(id)).toMatchObject({
      disbursements: [{ status: 'failed', tries: 1, failure: { code: 'PAYOUT_REJECTED' } }],
    })
    expect(await exceptions()).toHaveLength(1)
  })

  it.each(['before', 'after'])(
    'a payout that turns out to have succeeded, %s the next try is planned, is not sent again',
    async (when) => {
      const id = await ready(20.29, [percent(await escrow.payoutParty(), 100)])
      await escrow.disburse(id)
      await run(id)
      const [{ transaction_id }] = (await escrow.readMilestone(id)).disbursements
      const [{ data }] = await escrow.org.attempts(transaction_id)
      // With 29 cents the payout fails first and is completed afterwards.
      await t.simulator.settle({ reference: data.reference })
      await escrow.org.advance(transaction_id)
      expect((await escrow.org.record(transaction_id)).status).toBe('failed')
      if (when === 'after') expect(await run(id)).toBe(60_000)
      await t.simulator.settle({ all: true })
      await escrow.org.advance(transaction_id)
      expect((await escrow.org.record(transaction_id)).status).toBe('completed')
      clock.pass(60_000)
      expect(await run(id)).toBeUndefined()
      expect(await exceptions()).toHaveLength(1)
      expect(t.simulator.log().filter(({ reference }) => reference === data.reference)).toHaveLength(1)
      expect((await escrow.disburse(id)).body.message).toContain('paid late')
      expect((await escrow.call('POST', '/cancel', {})).body.data).toMatchObject({ returned_total: 20.29 })
    },
  )

  it('a share of zero is not disbursed', async () => {
    const [ada, ben] = [await escrow.accountParty(), await escrow.accountParty()]
    const id = await ready(10, [percent(ada, 100), percent(ben, 0)])
    await escrow.disburse(id)
    await run(id)
    expect(statesOf(await escrow.readMilestone(id))).toEqual({ [ada.party_id]: 'paid 10' })
  })
})

describe('403', () => {
  it('for staff', async () => {
    const { token } = await addPerson(t, escrow.org.orgId, 'staff')
    const path = `${escrowPath}/${escrow.escrowId}/milestones/${newId()}/disburse`
    expect((await t.call('POST', path, { as: token })).status).toBe(403)
  })
})

describe('404', () => {
  it('an unknown milestone', async () => {
    expect((await escrow.disburse(newId())).status).toBe(404)
  })
})

describe('409', () => {
  it('not approved, not fully funded, or splits incomplete: each error says what to do', async () => {
    const ada = await escrow.accountParty()
    const { milestone_id: id } = await escrow.milestone(100, [percent(ada, 99)])
    expect((await escrow.disburse(id)).body.message).toContain('approved')
    await escrow.approve(id)
    expect((await escrow.disburse(id)).body.message).toContain('exactly 100')
    await escrow.call('PUT', `/milestones/${id}/parties`, percent(ada, 100))
    await escrow.fund(99.99)
    const answer = await escrow.disburse(id)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Fund the escrow')])
    await escrow.fund(0.01)
    expect((await escrow.disburse(id)).status).toBe(200)
    expect(await escrow.disburse(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('disbursed') },
    })
    expect((await escrow.call('POST', '/cancel', {})).body.message).toContain('in progress')
    await run(id)
    expect(await escrow.disburse(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('disbursed') },
    })
  })
})
