import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../lib/ids.ts'
import { expectCleanAudit } from '../../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { fixed, openEscrow, percent, type TestEscrow } from '../../../../../test/worlds/test-escrow.ts'
import { untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let escrow: TestEscrow
let ada: Json
beforeAll(async () => {
  escrow = await openEscrow(t)
  ada = await escrow.accountParty()
})
afterAll(() => expectCleanAudit(t))

const add = (body: Json): Promise<CallAnswer> =>
  escrow.call('POST', '/milestones', { label: 'Roof', expected_disbursement: 100, ...body })

describe('201', () => {
  it('is added after the last one by default, with its splits', async () => {
    const parties = [fixed(ada, 12.5)]
    const first = (await add({ parties, sequence: 7, due_date: '2027-02-28', description: 'Tiles' })).body
      .data
    expect(first).toMatchObject({ sequence: 7, due_date: '2027-02-28', description: 'Tiles', parties })
    expect((await add({})).body.data).toMatchObject({ sequence: 8, parties: [] })
  })
})

describe('200', () => {
  it('a contract is submitted, then the milestone approved', async () => {
    const { milestone_id: id } = await escrow.milestone(10, [])
    const contract = { reference: 'C-7', url: 'https://example.com/contracts/7' }
    const submitted = await escrow.call('POST', `/milestones/${id}/contract`, contract)
    expect(submitted.body.data).toMatchObject({
      status: 'submitted',
      contract,
      contract_submitted_at: expect.stringMatching(/Z$/),
    })
    const approved = await escrow.call('POST', `/milestones/${id}/approve`)
    expect(approved.body.data).toMatchObject({ status: 'approved', contract })
  })

  it('a change keeps omitted fields', async () => {
    const { milestone_id: id } = await escrow.milestone(10, [percent(ada, 50)], { due_date: '2027-03-01' })
    const changed = await escrow.call('PATCH', `/milestones/${id}`, { label: 'Doors' })
    expect(changed.body.data).toMatchObject({
      label: 'Doors',
      due_date: '2027-03-01',
      expected_disbursement: 10,
    })
    const cleared = await escrow.call('PATCH', `/milestones/${id}`, { due_date: null })
    expect(cleared.body.data.label).toBe('Doors')
    expect(cleared.body.data).not.toHaveProperty('due_date')
  })
})

describe('400', () => {
  it.each<[string, Json]>([
    ['no amount', { expected_disbursement: 0 }],
    ['too many decimals', { expected_disbursement: 1.001 }],
    ['no label', { label: ' ' }],
    ['a date that is none', { due_date: 'soon' }],
    ['a sequence below one', { sequence: 0 }],
    ['an unknown party', { parties: [{ party_id: newId(), split_value: 1 }] }],
  ])('%s', async (_name, body) => {
    expect((await add(body)).status).toBe(400)
  })

  it('an amount below the fixed splits', async () => {
    const { milestone_id: id } = await escrow.milestone(10, [fixed(ada, 10)])
    const smaller = await escrow.call('PATCH', `/milestones/${id}`, { expected_disbursement: 9.99 })
    expect([smaller.status, smaller.body.message]).toEqual([400, expect.stringContaining('fixed amounts')])
  })

  it('a contract without a reference, or at an address that is not https', async () => {
    const { milestone_id: id } = await escrow.milestone(10, [])
    for (const body of [{}, { reference: 'C', url: 'http://example.com' }])
      expect((await escrow.call('POST', `/milestones/${id}/contract`, body)).status).toBe(400)
  })
})

describe('404', () => {
  it.each([
    ['GET', '', undefined],
    ['PATCH', '', { label: 'Doors' }],
    ['POST', '/contract', { reference: 'C' }],
    ['POST', '/approve', undefined],
    ['POST', '/disburse', undefined],
  ])('%s of an unknown milestone%s', async (method, path, body) => {
    const answer = await escrow.call(method, `/milestones/${newId()}${path}`, body)
    expect([answer.status, answer.body.message]).toEqual([404, expect.stringContaining('The milestone')])
  })
})

describe('409', () => {
  it('a sequence that is taken', async () => {
    const { sequence } = await escrow.milestone(10, [])
    expect(await add({ sequence })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('sequence') },
    })
  })

  it('steps out of order: approved before submitted, submitted or approved twice', async () => {
    const { milestone_id: id } = await escrow.milestone(10, [])
    const submit = (): Promise<CallAnswer> =>
      escrow.call('POST', `/milestones/${id}/contract`, { reference: 'C' })
    const approve = (): Promise<CallAnswer> => escrow.call('POST', `/milestones/${id}/approve`)
    const statuses = [await approve(), await submit(), await submit(), await approve(), await approve()]
    expect(statuses.map(({ status }) => status)).toEqual([409, 200, 409, 200, 409])
  })

  it('a changed amount after approval, or one below what the escrow holds', async () => {
    const own = await openEscrow(t)
    const { milestone_id: id } = await own.milestone(100, [])
    await own.fund(60)
    const expecting = (expected_disbursement: number): Promise<CallAnswer> =>
      own.call('PATCH', `/milestones/${id}`, { expected_disbursement })
    expect(await expecting(59.99)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already holds more') },
    })
    expect((await expecting(60)).body.data).toMatchObject({ funding_status: 'funded' })
    await own.approve(id)
    expect(await expecting(61)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('approved') },
    })
    expect((await own.call('PATCH', `/milestones/${id}`, { label: 'Doors' })).status).toBe(200)
  })
})
