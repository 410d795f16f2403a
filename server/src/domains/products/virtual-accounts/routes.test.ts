import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { expectCleanAudit, openAccounts, type TestAccounts } from '../../../../test/worlds/test-accounts.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import { untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

const path = '/v1/virtual-accounts'
const t = usePayments({ delayMs: untilSettled })
let org: TestAccounts
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

const list = async (query = ''): Promise<Json> => (await org.call('GET', `${path}${query}`)).body
const bodyOf = (change: Json = {}): Json => ({
  org_id: org.orgId,
  user_id: org.userId,
  currency: 'NGN',
  ...change,
})

describe('201', () => {
  it('opens an account at a provider, with every field of the spec', async () => {
    const account = await org.open({ customer_id: 'customer-7', org_name: 'Ada Stores' })
    expect(account).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      org_id: org.orgId,
      user_id: org.userId,
      customer_id: 'customer-7',
      virtual_account_name: 'Ada Stores',
      currency: 'NGN',
      balance: 0,
      available_balance: 0,
      held_balance: 0,
      status: 'active',
      account_type: 'currency',
      custody: 'pooled',
      provider: 'paystack',
      bank_details: {
        account_number: expect.stringMatching(/^\d{10}$/),
        account_name: expect.stringContaining('ADA STORES'),
        bank_name: 'Test Bank',
      },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
  })

  it('internal where no provider opens accounts in the currency', async () => {
    const account = await org.open({ currency: 'UGX' })
    expect(account).toMatchObject({
      currency: 'UGX',
      provider: 'internal',
      bank_details: null,
      customer_id: '',
    })
  })

  it('one user can have several accounts, each with its own number', async () => {
    const opened = [await org.open(), await org.open(), await org.open({ currency: 'KES' })]
    expect(new Set(opened.map(({ account_id }) => account_id)).size).toBe(3)
    const numbers = opened.flatMap(({ bank_details }) => bank_details?.account_number ?? [])
    expect(new Set(numbers).size).toBe(2)
  })

  it('amounts on the wire have their decimals', async () => {
    const { text } = await org.call('POST', `${path}/internal/bank`, bodyOf())
    expect(text).toContain('"balance":0.00')
  })

  it('for another member', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    expect((await org.open({ user_id: staff.userId })).user_id).toBe(staff.userId)
  })
})

describe('200', () => {
  it('the number is shown in full only with the permission, and masked in lists', async () => {
    const account = await org.open()
    const number: string = account.bank_details.account_number
    const read = await org.call('GET', `${path}/${account.account_id}`)
    expect(read.body.data).toEqual(account)
    const viewer = await t.call('GET', `${path}/${account.account_id}`, { as: await org.staff('viewer') })
    expect(viewer.body.data.bank_details.account_number).toBe(`******${number.slice(-4)}`)
    expect(viewer.text + (await org.call('GET', path)).text).not.toContain(number)
  })

  it('pages list each account once, newest first', async () => {
    for (let index = 0; index < 5; index++) await org.open({ currency: 'UGX', customer_id: `c${index}` })
    const seen: Json[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&last_evaluated_key=${encodeURIComponent(cursor)}`
      const { data, meta } = await list(`?limit=2${from}`)
      seen.push(...data)
      cursor = meta.last_evaluated_key
    }
    expect(seen.map(({ customer_id }) => customer_id)).toEqual(['c4', 'c3', 'c2', 'c1', 'c0'])
  })

  it('filtered by user, customer, currency and status', async () => {
    const staff = await addPerson(t, org.orgId, 'staff')
    await org.open({ currency: 'UGX', customer_id: 'a' })
    await org.open({ currency: 'KES', user_id: staff.userId })
    const count = async (query: string): Promise<number> => (await list(query)).data.length
    expect(await count('?currency=UGX')).toBe(1)
    expect(await count('?customer_id=a')).toBe(1)
    expect(await count(`?user_id=${staff.userId}`)).toBe(1)
    expect(await count('?status=active')).toBe(2)
    expect(await count('?status=frozen')).toBe(0)
  })

  it('frozen and unfrozen, with the reason in the audit log', async () => {
    const { account_id } = await org.open()
    const frozen = await org.call('POST', `${path}/${account_id}/freeze`, { reason: 'Court order' })
    expect(frozen.body.data.status).toBe('frozen')
    const thawed = await org.call('POST', `${path}/${account_id}/unfreeze`)
    expect(thawed.body.data.status).toBe('active')
    const { rows } = await t.owner.query(
      `select action, after from audit_log where org_id = $1 and action like 'virtual-account.%freeze' order by audit_id`,
      [org.orgId],
    )
    expect(rows).toEqual([
      { action: 'virtual-account.freeze', after: { status: 'frozen', reason: 'Court order' } },
      { action: 'virtual-account.unfreeze', after: { status: 'active', reason: null } },
    ])
  })

  it('freezing and unfreezing are events, which count the changes of one freeze', async () => {
    const { account_id } = await org.open()
    for (const change of ['freeze', 'unfreeze', 'freeze'])
      await org.call('POST', `${path}/${account_id}/${change}`, { reason: 'Court order' })
    const { rows } = await t.owner.query<{ event_type: string; data: string }>(
      `select event_type, data from events where org_id = $1 and event_type like '%frozen' order by event_id`,
      [org.orgId],
    )
    expect(rows.map(({ event_type }) => event_type)).toEqual([
      'virtual_account.frozen',
      'virtual_account.unfrozen',
      'virtual_account.frozen',
    ])
    const [first, second, third] = rows.map(({ data }): Json => JSON.parse(data))
    expect(first).toMatchObject({ account_id, status: 'frozen', reason: 'Court order', sequence: 1 })
    expect(second).toMatchObject({ freeze_id: first.freeze_id, status: 'active', sequence: 2 })
    expect(third.sequence).toBe(1)
    expect(third.freeze_id).not.toBe(first.freeze_id)
  })
})

describe('400', () => {
  it.each([
    { org_id: undefined },
    { user_id: undefined },
    { currency: undefined },
    { currency: 'XYZ' },
    { org_id: 'mine' },
    { customer_id: '' },
    { org_name: '' },
  ])('%j', async (change) => {
    expect((await org.call('POST', `${path}/internal/bank`, bodyOf(change))).status).toBe(400)
  })

  it.each(['?limit=0', '?limit=101', '?status=lost', '?last_evaluated_key=abc'])('%s', async (query) => {
    expect((await org.call('GET', `${path}${query}`)).status).toBe(400)
  })
})

describe('403', () => {
  it('for another organisation, or a user who is not a member', async () => {
    const stranger = await openAccounts(t)
    for (const change of [{ org_id: stranger.orgId }, { user_id: stranger.userId }])
      expect((await org.call('POST', `${path}/internal/bank`, bodyOf(change))).status).toBe(403)
  })

  it('a viewer may neither open nor freeze accounts', async () => {
    const as = await org.staff('viewer')
    const { account_id } = await org.open()
    expect((await t.call('POST', `${path}/internal/bank`, { as, body: bodyOf() })).status).toBe(403)
    expect((await t.call('POST', `${path}/${account_id}/freeze`, { as })).status).toBe(403)
  })
})

describe('404', () => {
  it('another organisation’s account, and an unknown one', async () => {
    const { account_id } = await org.open()
    const stranger = await openAccounts(t)
    for (const id of [account_id, '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f']) {
      expect((await stranger.call('GET', `${path}/${id}`)).status).toBe(404)
      expect((await stranger.call('POST', `${path}/${id}/freeze`)).status).toBe(404)
    }
  })
})

describe('409', () => {
  it('an account that is already frozen', async () => {
    const { account_id } = await org.open()
    expect(await org.call('POST', `${path}/${account_id}/unfreeze`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('active') },
    })
    await org.call('POST', `${path}/${account_id}/freeze`)
    expect(await org.call('POST', `${path}/${account_id}/freeze`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('frozen') },
    })
  })
})

describe('502', () => {
  it('an unavailable bank opens nothing, and no internal account replaces it', async () => {
    t.simulator.setFaults('paystack', [{ on: 'prepare', fault: 'down', times: 2 }])
    const answer = await org.call('POST', `${path}/internal/bank`, bodyOf())
    t.simulator.setFaults('paystack', [])
    expect(answer.status).toBe(502)
    expect((await list()).data).toEqual([])
  })
})
