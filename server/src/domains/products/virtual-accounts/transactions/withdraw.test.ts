import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../../test/app/people.ts'
import {
  expectCleanAudit,
  openAccounts,
  type TestAccounts,
} from '../../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../../test/app/test-app.ts'
import {
  createTestClock,
  mobileMoneyBeneficiary,
  untilSettled,
  usePayments,
} from '../../../../../test/worlds/test-payments.ts'

let org: TestAccounts
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

const balances = async (accountId: string): Promise<number[]> => {
  const { balance, available_balance, held_balance } = await org.account(accountId)
  return [balance, available_balance, held_balance]
}
const started = async (accountId: string, amount: number, change: Json = {}): Promise<Json> => {
  const answer = await org.withdraw(accountId, amount, change)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data
}
const read = async (id: string): Promise<Json> =>
  (await org.call('GET', `/v1/virtual-accounts/transactions/${id}`)).body.data
const events = async (accountId: string): Promise<Json[]> => {
  const { rows } = await t.owner.query(
    'select event_type, data, sequence from events where org_id = $1 and resource_id = $2 order by sequence',
    [org.orgId, accountId],
  )
  return rows.map(({ event_type, data }) => ({ event_type, ...JSON.parse(data) }))
}

describe('201', () => {
  it('is held while pending and booked when completed; the event has the balance after it', async () => {
    const { account_id } = await org.funded(100_000)
    const pending = await started(account_id, 300, { description: 'Rent', reference: 'rent-7' })
    expect(pending).toEqual({
      transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_id,
      org_id: org.orgId,
      user_id: org.userId,
      type: 'debit',
      status: 'pending',
      amount: 300,
      fee: 0,
      currency: 'NGN',
      description: 'Rent',
      payment_rail: 'bank_transfer',
      reference: 'rent-7',
      balance_after: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(await balances(account_id)).toEqual([1000, 700, 300])
    await t.simulator.settle({ all: true })
    expect(await read(pending.transaction_id)).toMatchObject({ status: 'completed', balance_after: 700 })
    expect(await balances(account_id)).toEqual([700, 700, 0])
    expect((await events(account_id)).at(-1)).toMatchObject({
      event_type: 'virtual_account.withdrawal',
      transaction_id: pending.transaction_id,
      account_id,
      org_id: org.orgId,
      user_id: org.userId,
      type: 'debit',
      status: 'completed',
      amount: 300,
      balance_after: 700,
      sequence: 2,
    })
    expect((await org.record(pending.transaction_id)).status).toBe('completed')
  })

  it('a failed payout returns the money once, however often it is reported', async () => {
    const { account_id } = await org.funded(100_000)
    const { transaction_id } = await started(account_id, 20.14)
    expect(await balances(account_id)).toEqual([1000, 979.86, 20.14])
    await t.simulator.settle({ all: true })
    for (let times = 0; times < 3; times++) await org.advance(transaction_id)
    expect(await read(transaction_id)).toMatchObject({ status: 'failed', balance_after: null })
    expect(await balances(account_id)).toEqual([1000, 1000, 0])
    const phases = (await org.postings(transaction_id)).map(({ phase }) => phase)
    expect(phases).toEqual(['pending', 'void'])
    expect((await events(account_id)).map(({ event_type }) => event_type)).toEqual([
      'virtual_account.deposit',
    ])
  })

  it('a payout with an unknown outcome keeps its hold', async () => {
    const { account_id } = await org.funded(100_000)
    const { transaction_id, status } = await started(account_id, 20.17)
    expect(status).toBe('pending')
    for (const pause of [1_000, 60_000, 300_000]) {
      clock.pass(pause)
      await org.advance(transaction_id)
      expect((await org.record(transaction_id)).status).toBe('processing')
      expect(await balances(account_id)).toEqual([1000, 979.83, 20.17])
    }
  })

  it('a completed payout that is returned is credited once', async () => {
    const { account_id } = await org.funded(100_000)
    const { transaction_id } = await started(account_id, 20.25)
    await t.simulator.settle({ all: true })
    await org.advance(transaction_id)
    expect((await org.record(transaction_id)).status).toBe('refunded')
    const lines = await org.transactions(account_id)
    expect(lines.map(({ type, status, balance_after }) => [type, status, balance_after])).toEqual([
      ['credit', 'completed', 1000],
      ['debit', 'reversed', 979.75],
      ['credit', 'completed', 1000],
    ])
    expect(await balances(account_id)).toEqual([1000, 1000, 0])
    expect((await org.exceptions()).map(({ kind }) => kind)).toEqual(['returned_to_account'])
  })

  it('a late success is charged to the organisation, because the account may have spent the money since', async () => {
    const { account_id } = await org.funded(2_029)
    const { transaction_id } = await started(account_id, 20.29)
    await t.simulator.settle({ reference: (await org.attempts(transaction_id))[0].data.reference })
    await org.advance(transaction_id)
    const after = (await org.record(transaction_id)).status
    expect(['failed', 'completed']).toContain(after)
    await t.simulator.settle({ all: true })
    await org.advance(transaction_id)
    expect((await org.record(transaction_id)).status).toBe('completed')
    const late = (await org.postings(transaction_id)).find(({ kind }) => kind === 'payout.late')
    expect(late?.debit).toBe('available')
    expect((await balances(account_id))[1]).toBe(20.29)
  })

  it('to mobile money, from an internal account', async () => {
    const shillings = await org.open({ currency: 'UGX' })
    const beneficiary_id = await org.addBeneficiary(mobileMoneyBeneficiary())
    const answer = await org.withdraw(shillings.account_id, 5000, { beneficiary_id })
    expect([answer.status, answer.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS'])
  })

  it('a payout that needs approval is held from the start, and released when rejected', async () => {
    const policies = [{ currency: 'NGN', payout_from: 100 }]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
    t.deps.approvalPolicies.invalidate()
    const { account_id } = await org.funded(100_000)
    const { transaction_id } = await started(account_id, 400)
    expect((await org.record(transaction_id)).status).toBe('initiated')
    expect(await balances(account_id)).toEqual([1000, 600, 400])
    const reviewer = await addPerson(t, org.orgId, 'staff')
    const path = `/v1/payments/${transaction_id}/review`
    await t.call('POST', path, { as: reviewer.token, body: { decision: 'reject', comments: 'No' } })
    expect(await balances(account_id)).toEqual([1000, 1000, 0])
    expect((await read(transaction_id)).status).toBe('failed')
    const second = await started(account_id, 400)
    const admin = await addPerson(t, org.orgId, 'org-admin')
    for (const as of [reviewer.token, admin.token])
      await t.call('POST', `/v1/payments/${second.transaction_id}/review`, {
        as,
        body: { decision: 'approve' },
      })
    await org.advance(second.transaction_id)
    await t.simulator.settle({ all: true })
    expect(await balances(account_id)).toEqual([600, 600, 0])
  })
})

describe('201: the sum over 24 hours', () => {
  it('withdrawals count each other and the organisation’s other payouts', async () => {
    const { account_id } = await org.funded(1_000_000)
    const policies = [{ currency: 'NGN', payout_from: 1000, daily_from: 2000 }]
    await org.call('PUT', `/v1/organizations/${org.orgId}/approval-policies`, { policies })
    const statusOf = async ({ transaction_id }: Json): Promise<string> =>
      (await org.record(transaction_id)).status
    const all = await Promise.all(Array.from({ length: 4 }, () => started(account_id, 900)))
    const statuses = await Promise.all(all.map(statusOf))
    expect(statuses.filter((status) => status === 'initiated')).toHaveLength(2)
  })
})

describe('400', () => {
  it.each([
    { amount: 0 },
    { amount: -1 },
    { amount: 1.001 },
    { amount: '5' },
    { beneficiary_id: undefined },
    { beneficiary_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f' },
  ])('%j', async (change) => {
    const { account_id } = await org.funded(100_000)
    expect((await org.withdraw(account_id, 10, change)).status).toBe(400)
    expect(await balances(account_id)).toEqual([1000, 1000, 0])
  })

  it('a beneficiary in another currency', async () => {
    const { account_id } = await org.funded(100_000)
    const beneficiary_id = await org.addBeneficiary(mobileMoneyBeneficiary())
    const answer = await org.withdraw(account_id, 10, { beneficiary_id })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('is in UGX')])
  })
})

describe('403', () => {
  it('a viewer may not withdraw', async () => {
    const { account_id } = await org.funded(100_000)
    const body = { beneficiary_id: org.beneficiaryId, amount: 10 }
    const path = `/v1/virtual-accounts/${account_id}/withdraw`
    expect((await t.call('POST', path, { as: await org.staff('viewer'), body })).status).toBe(403)
  })
})

describe('404', () => {
  it('from another organisation’s account', async () => {
    const { account_id } = await org.funded(100_000)
    const stranger = await openAccounts(t)
    expect((await stranger.withdraw(account_id, 10)).status).toBe(404)
  })
})

describe('409', () => {
  it('from a frozen account', async () => {
    const { account_id } = await org.funded(100_000)
    await org.call('POST', `/v1/virtual-accounts/${account_id}/freeze`)
    expect(await org.withdraw(account_id, 10)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('frozen') },
    })
  })
})

describe('422', () => {
  it('more than the available balance; no payment is left behind', async () => {
    const { account_id } = await org.funded(100_000)
    await started(account_id, 600)
    const answer = await org.withdraw(account_id, 400.01)
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('too low')])
    expect(await org.transactions(account_id)).toHaveLength(2)
    expect((await org.call('GET', '/v1/transactions')).body.data).toHaveLength(1)
    expect((await org.withdraw(account_id, 400)).status).toBe(201)
  })

  it('no route for the corridor', async () => {
    const account = await org.open({ currency: 'GBP' })
    const beneficiary_id = await org.addBeneficiary({
      account_type: 'bank',
      country: 'FR',
      currency: 'GBP',
      fname: 'A',
      lname: 'B',
      bank_details: { iban: 'FR1420041010050500013M02606' },
    })
    expect((await org.withdraw(account.account_id, 10, { beneficiary_id })).status).toBe(422)
  })
})

describe('502', () => {
  it('every provider refused: the hold is released', async () => {
    const { account_id } = await org.funded(100_000)
    const answer = await org.withdraw(account_id, 20.11)
    expect(answer.status).toBe(502)
    expect(await balances(account_id)).toEqual([1000, 1000, 0])
    expect((await org.transactions(account_id))[0].status).toBe('failed')
  })
})
