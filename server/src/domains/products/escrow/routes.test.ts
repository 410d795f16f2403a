import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { runDisbursement } from '../../../../test/worlds/test-disbursement.ts'
import {
  addEscrow,
  escrowPath,
  openEscrow,
  percent,
  type TestEscrow,
} from '../../../../test/worlds/test-escrow.ts'
import { mobileMoneyBeneficiary, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let escrow: TestEscrow
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  escrow = await openEscrow(t)
})

const funds = async (): Promise<number> =>
  (await escrow.org.account(escrow.fundingAccount.account_id)).balance
const coverage = async (): Promise<Json[]> =>
  (await escrow.call('GET', '/milestones')).body.data.map((one: Json) => [
    one.covered_amount,
    one.funding_status,
  ])

describe('201', () => {
  it('an escrow has a virtual account of its own, of type escrow', async () => {
    const body = { name: 'Bridge', currency: 'NGN', description: 'Over the river' }
    const { status, body: answer } = await escrow.org.call('POST', escrowPath, body)
    expect(status).toBe(201)
    expect(answer.data).toEqual({
      escrow_id: expect.any(String),
      org_id: escrow.org.orgId,
      user_id: escrow.org.userId,
      ...body,
      account_id: expect.any(String),
      status: 'active',
      funded_total: 0,
      disbursed_total: 0,
      returned_total: 0,
      balance: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(await escrow.org.account(answer.data.account_id)).toMatchObject({
      account_type: 'escrow',
      provider: 'internal',
      currency: 'NGN',
    })
  })

  it('parties are paid into an account or out to a beneficiary', async () => {
    const [ada, ben] = [await escrow.accountParty(), await escrow.payoutParty()]
    expect([ada.beneficiary_id, ben.account_id]).toEqual([null, null])
    const { body } = await escrow.call('GET', '/parties')
    expect(body.count).toBe(2)
    expect(body.data.map((one: Json) => one.party_id)).toEqual([ada.party_id, ben.party_id])
  })
})

describe('200', () => {
  it('lists, newest first, in pages and by status', async () => {
    const second = await addEscrow(escrow.org, escrow.fundingAccount)
    const first = (await escrow.org.call('GET', `${escrowPath}?limit=1`)).body
    expect(first.data.map((one: Json) => one.escrow_id)).toEqual([second.escrowId])
    const next = `${escrowPath}?limit=1&last_evaluated_key=${encodeURIComponent(first.meta.last_evaluated_key)}`
    expect((await escrow.org.call('GET', next)).body.data[0].escrow_id).toBe(escrow.escrowId)
    await second.call('POST', '/cancel', {})
    const canceled = (await escrow.org.call('GET', `${escrowPath}?status=canceled`)).body.data
    expect(canceled.map((one: Json) => one.escrow_id)).toEqual([second.escrowId])
  })

  it('funding covers milestones in sequence, whatever the order in which they were added', async () => {
    await escrow.milestone(100, [], { sequence: 3 })
    await escrow.milestone(50, [], { sequence: 1 })
    await escrow.milestone(70, [], { sequence: 2 })
    expect((await escrow.fund(80)).body.data).toMatchObject({ funded_total: 80, balance: 80 })
    expect(await coverage()).toEqual([
      [50, 'funded'],
      [30, 'partially_funded'],
      [0, 'unfunded'],
    ])
    await escrow.fund(140)
    expect(await coverage()).toEqual([
      [50, 'funded'],
      [70, 'funded'],
      [100, 'funded'],
    ])
    expect(await funds()).toBe(10_000 - 220)
  })

  it('a milestone inserted in front, or with a changed amount, redistributes the coverage', async () => {
    const { milestone_id } = await escrow.milestone(100, [], { sequence: 2 })
    await escrow.fund(100)
    await escrow.milestone(30, [], { sequence: 1 })
    expect(await coverage()).toEqual([
      [30, 'funded'],
      [70, 'partially_funded'],
    ])
    const change = {
      expected_disbursement: 70,
      label: 'Walls',
      due_date: '2027-01-31',
      description: 'All four',
    }
    const changed = await escrow.call('PATCH', `/milestones/${milestone_id}`, change)
    expect(changed.body.data).toMatchObject({ ...change, covered_amount: 70, funding_status: 'funded' })
  })

  it('cancel returns the rest to its sources and cancels open milestones', async () => {
    const ada = await escrow.accountParty()
    const done = await escrow.milestone(60, [percent(ada, 100)])
    const open = await escrow.milestone(90, [percent(ada, 100)])
    const other = await escrow.org.funded(5_000)
    await escrow.fund(100)
    await escrow.call('POST', '/fund', { account_id: other.account_id, amount: 30 })
    await escrow.approve(done.milestone_id)
    await escrow.disburse(done.milestone_id)
    await runDisbursement(t, { orgId: escrow.org.orgId, milestoneId: done.milestone_id })
    const { status, body } = await escrow.call('POST', '/cancel', { reason: 'The builder left' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      status: 'canceled',
      funded_total: 130,
      disbursed_total: 60,
      returned_total: 70,
      balance: 0,
    })
    expect((await escrow.org.account(other.account_id)).balance).toBe(50)
    expect(await funds()).toBe(10_000 - 60)
    const read = async (id: string): Promise<Json> => escrow.readMilestone(id)
    expect(await read(done.milestone_id)).toMatchObject({ status: 'disbursed', covered_amount: 60 })
    expect(await read(open.milestone_id)).toMatchObject({ status: 'canceled', covered_amount: 0 })
  })

  it('a viewer may read', async () => {
    const { token } = await addPerson(t, escrow.org.orgId, 'viewer')
    expect((await t.call('GET', `${escrowPath}/${escrow.escrowId}`, { as: token })).status).toBe(200)
  })
})

describe('400', () => {
  it.each<[string, Json]>([
    ['no name', { currency: 'NGN' }],
    ['an unknown currency', { name: 'Bridge', currency: 'NGX' }],
  ])('an escrow with %s', async (_name, body) => {
    expect((await escrow.org.call('POST', escrowPath, body)).status).toBe(400)
  })

  it('a party with no payee, with two, with an unknown one, or with one of another currency', async () => {
    const { org } = escrow
    const stranger = await openEscrow(t)
    const momo = await org.addBeneficiary(mobileMoneyBeneficiary())
    const bodies: Json[] = [
      {},
      { account_id: escrow.fundingAccount.account_id, beneficiary_id: org.beneficiaryId },
      { account_id: newId() },
      { beneficiary_id: newId() },
      { account_id: stranger.fundingAccount.account_id },
      { beneficiary_id: stranger.org.beneficiaryId },
      { account_id: (await escrow.read()).account_id },
      { beneficiary_id: momo },
    ]
    for (const body of bodies)
      expect((await escrow.call('POST', '/parties', { name: 'Ada', ...body })).status).toBe(400)
  })

  it('funding from an unknown account, of another currency, from an escrow, or with too many decimals', async () => {
    await escrow.milestone(100, [])
    const pounds = await escrow.org.open({ currency: 'GBP' })
    const own = await escrow.read()
    for (const account_id of [newId(), pounds.account_id, own.account_id])
      expect((await escrow.call('POST', '/fund', { account_id, amount: 1 })).status).toBe(400)
    expect((await escrow.fund(1.001)).status).toBe(400)
  })
})

describe('403', () => {
  it('staff may read but not write', async () => {
    const { token: as } = await addPerson(t, escrow.org.orgId, 'staff')
    expect((await t.call('GET', escrowPath, { as })).status).toBe(200)
    const body = { name: 'Bridge', currency: 'NGN' }
    expect((await t.call('POST', escrowPath, { as, body })).status).toBe(403)
  })
})

describe('404', () => {
  it.each([
    ['GET', ''],
    ['GET', '/parties'],
    ['GET', '/milestones'],
    ['POST', '/cancel'],
  ])("%s of another organisation's escrow%s", async (method, path) => {
    const stranger = await openEscrow(t)
    const url = `${escrowPath}/${escrow.escrowId}${path}`
    expect((await t.call(method, url, { as: stranger.org.credential })).status).toBe(404)
  })
})

describe('409', () => {
  it('more funding than the milestones need or, with 422, the account has; no money moves', async () => {
    const early = await escrow.fund(1)
    expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('Add milestones first')])
    await escrow.milestone(20_000, [])
    for (const amount of [10_000.01, 20_000.01])
      expect(await escrow.fund(amount)).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_FUNDS' } })
    expect(await funds()).toBe(10_000)
    expect(await coverage()).toEqual([[0, 'unfunded']])
  })

  it('a canceled escrow accepts nothing, and returns nothing twice', async () => {
    await escrow.milestone(100, [])
    await escrow.fund(40)
    expect((await escrow.call('POST', '/cancel', {})).status).toBe(200)
    const answers = [
      await escrow.call('POST', '/cancel', {}),
      await escrow.fund(1),
      await escrow.call('POST', '/parties', { name: 'Ada', beneficiary_id: escrow.org.beneficiaryId }),
      await escrow.call('POST', '/milestones', { label: 'Roof', expected_disbursement: 1 }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    expect(await funds()).toBe(10_000)
  })

  it('only the escrow can move money of its account', async () => {
    await escrow.milestone(100, [])
    await escrow.fund(100)
    const { account_id } = await escrow.read()
    const { org, fundingAccount } = escrow
    const answers = [
      await org.transfer(account_id, fundingAccount.account_id, 1),
      await org.transfer(fundingAccount.account_id, account_id, 1),
      await org.withdraw(account_id, 1),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409])
  })
})
