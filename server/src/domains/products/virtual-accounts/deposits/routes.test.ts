import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectCleanAudit,
  openAccounts,
  postToSimulator,
  type TestAccounts,
} from '../../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../../test/app/test-app.ts'
import { installationAccountId, untilSettled, usePayments } from '../../../../../test/worlds/test-payments.ts'

const secretKey = 'sk_test_switchyard_sandbox'
const exceptions = '/v1/payments/exceptions'
const t = usePayments({ delayMs: untilSettled })
let org: TestAccounts
let operator: string
let address: string
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  const { body } = await t.call('GET', '/v1/payments/provider-credentials', { as: operator })
  address = body.data.find(({ provider }: Json) => provider === 'paystack').webhook_url
})
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

let lastId = 1
const eventOf = (accountNumber: string, change: Json = {}): Json => ({
  event: 'charge.success',
  data: {
    id: lastId++,
    status: 'success',
    reference: `dep${Date.now()}${lastId}`,
    amount: 12_345,
    currency: 'NGN',
    channel: 'dedicated_nuban',
    authorization: {
      receiver_bank_account_number: accountNumber,
      sender_name: 'CANARELLA BIRD',
      sender_bank_account_number: '7730194422',
      narration: 'Invoice 7',
    },
    ...change,
  },
})
const tell = (event: Json, key = secretKey, to = address): Promise<CallAnswer> => {
  const rawBody = JSON.stringify(event)
  const headers = { 'x-paystack-signature': createHmac('sha512', key).update(rawBody).digest('hex') }
  return t.call('POST', new URL(to).pathname, { rawBody, headers, unaudited: true })
}
const unmatched = async (event: Json): Promise<Json> => {
  await tell(event)
  const { body } = await t.call('GET', `${exceptions}?kind=unmatched_deposit&limit=100`, { as: operator })
  return body.data.find(({ summary }: Json) => summary.includes(event.data.reference))
}
const settle = (id: string, what: string, body: Json, as = operator): Promise<CallAnswer> =>
  t.call('POST', `${exceptions}/${id}/${what}-deposit`, { as, body })
const balance = async ({ account_id }: Json): Promise<number> => (await org.account(account_id)).balance

describe('a deposit', () => {
  it('is credited to the account that it names and published with the balance after it', async () => {
    const account = await org.open()
    expect((await tell(eventOf(account.bank_details.account_number))).status).toBe(200)
    const [line] = await org.transactions(account.account_id)
    expect(line).toMatchObject({
      type: 'credit',
      status: 'completed',
      amount: 123.45,
      balance_after: 123.45,
      description: 'Invoice 7',
      payment_rail: 'bank_transfer',
      user_id: org.userId,
    })
    const { rows } = await t.owner.query(
      `select event_type, data from events where org_id = $1 and resource_id = $2`,
      [org.orgId, account.account_id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].event_type).toBe('virtual_account.deposit')
    expect(JSON.parse(rows[0].data)).toEqual({ ...line, sequence: 1 })
    expect(rows[0].data).toContain('"balance_after":123.45')
  })

  it('reported ten times concurrently is credited once', async () => {
    const account = await org.open()
    const event = eventOf(account.bank_details.account_number)
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(event)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await balance(account)).toBe(123.45)
  })

  it('that is forged, or reported by another organisation’s account, is credited to nobody', async () => {
    const account = await org.open()
    expect((await tell(eventOf(account.bank_details.account_number), 'another key')).status).toBe(401)
    const stranger = await openAccounts(t)
    const stored = await stranger.call('PUT', '/v1/payments/provider-credentials/paystack', {
      credentials: { secretKey: 'sk_of_the_stranger', baseUrl: `${t.simulator.url}/paystack` },
    })
    const event = eventOf(account.bank_details.account_number)
    expect((await tell(event, 'sk_of_the_stranger', stored.body.data.webhook_url)).status).toBe(200)
    expect(await balance(account)).toBe(0)
    expect((await stranger.exceptions()).map(({ kind }) => kind)).toEqual(['message_from_other_account'])
  })

  it('by the simulated bank, whose webhook arrives twice', async () => {
    const account = await org.open()
    const reference = await org.deposit(account, 50_000)
    await postToSimulator(t, '/paystack/_webhooks/send', { reference, duplicate: true })
    expect(await balance(account)).toBe(500)
  })

  it('in another currency than the account’s goes to suspense', async () => {
    const account = await org.open()
    const found = await unmatched(eventOf(account.bank_details.account_number, { currency: 'USD' }))
    expect(found.summary).toContain('123.45 USD came to an account in another currency, or closed')
    expect(await balance(account)).toBe(0)
  })
})

describe('200', () => {
  it('an unknown account number goes to suspense; the operator assigns the deposit once', async () => {
    const event = eventOf('9999999999')
    const found = await unmatched(event)
    expect(found).toMatchObject({
      kind: 'unmatched_deposit',
      status: 'open',
      provider: 'paystack',
      org_id: null,
    })
    await tell(event)
    const account = await org.open()
    const answer = await settle(found.exception_id, 'assign', {
      account_id: account.account_id,
      comment: 'Typo',
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      status: 'closed',
      resolution: `Assigned to virtual account ${account.account_id}: Typo`,
    })
    expect(await balance(account)).toBe(123.45)
    expect(await settle(found.exception_id, 'assign', { account_id: account.account_id })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('assigned') },
    })
    await tell(event)
    expect(await balance(account)).toBe(123.45)
  })

  it('an organisation with its own provider account assigns its own deposits, where its own money lies', async () => {
    const secret_key = `sk_own_${org.orgId}`
    t.simulator.configure('paystack', { account: org.orgId, secrets: { secret_key } })
    const credentials = { secretKey: secret_key, baseUrl: `${t.simulator.url}/paystack` }
    const pooled = await openInternal()
    const stored = await org.ownAccount('paystack', credentials)
    const account = await org.open()
    expect(account.custody).toBe('own')
    await tell(eventOf('8888888888'), secret_key, stored.webhook_url)
    const [found] = await org.exceptions()
    const staff = await org.staff('staff')
    const internal = await settle(found.exception_id, 'assign', { account_id: pooled }, staff)
    expect([internal.status, internal.body.message]).toEqual([
      409,
      expect.stringContaining('different custody'),
    ])
    const answer = await settle(found.exception_id, 'assign', { account_id: account.account_id }, staff)
    expect(answer.status).toBe(200)
    expect(await balance(account)).toBe(123.45)
  })

  it('a returned deposit leaves the books through the provider’s account', async () => {
    const found = await unmatched(eventOf('7777777777'))
    const answer = await settle(found.exception_id, 'return', { comment: 'Sent back by the bank, ref 12' })
    expect(answer.body.data.resolution).toBe('Returned to the sender: Sent back by the bank, ref 12')
    const ofPaystack = `provider:paystack:${await installationAccountId(t, 'paystack')}`
    const { rows } = await t.owner.query(
      'select kind, debit_account, credit_account from ledger_transfers where cause_id = $1 order by kind',
      [found.exception_id],
    )
    expect(rows).toEqual([
      { kind: 'suspense.received', debit_account: ofPaystack, credit_account: 'suspense' },
      { kind: 'suspense.returned', debit_account: 'suspense', credit_account: ofPaystack },
    ])
  })

  it('the database has no sender data in clear text', async () => {
    await unmatched(eventOf('6666666601'))
    const { rows } = await t.owner.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    )
    for (const { name } of rows)
      for (const canary of ['CANARELLA', '7730194422', '6666666601']) {
        const found = await t.owner.query(`select from ${name} as line where line::text like $1`, [
          `%${canary}%`,
        ])
        expect([name, canary, found.rowCount]).toEqual([name, canary, 0])
      }
  })
})

/** An internal account: in naira, of an organisation outside Nigeria. */
async function openInternal(): Promise<string> {
  const { rows } = await t.owner.query<{ config_id: string }>(
    `select config_id from provider_configs where provider = 'paystack' and country = 'NG' and direction = 'inbound'
     and payment_method = 'bank_transfer'`,
  )
  await t.owner.query('update provider_configs set is_active = false where config_id = $1', [
    rows[0]?.config_id,
  ])
  t.deps.corridors.invalidate()
  const account = await org.open()
  await t.owner.query('update provider_configs set is_active = true where config_id = $1', [
    rows[0]?.config_id,
  ])
  t.deps.corridors.invalidate()
  return account.account_id
}

describe('400', () => {
  it('an unknown account, one in another currency, or a return without a comment', async () => {
    const found = await unmatched(eventOf('5555555555'))
    const shillings = await org.open({ currency: 'UGX' })
    const bad = ['0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f', shillings.account_id]
    for (const account_id of bad)
      expect((await settle(found.exception_id, 'assign', { account_id })).status).toBe(400)
    expect((await settle(found.exception_id, 'return', {})).status).toBe(400)
    expect((await settle(found.exception_id, 'return', { comment: ' ' })).status).toBe(400)
  })
})

describe('403 and 404', () => {
  it('a viewer may not resolve deposits, and an organisation not another’s', async () => {
    const found = await unmatched(eventOf('4444444444'))
    const account = await org.open()
    const body = { account_id: account.account_id }
    expect((await settle(found.exception_id, 'assign', body, await org.staff('viewer'))).status).toBe(403)
    expect((await settle(found.exception_id, 'assign', body, await org.staff('staff'))).status).toBe(404)
  })
})

describe('409', () => {
  it('an unmatched deposit cannot be closed without resolving its money', async () => {
    const found = await unmatched(eventOf('3333333333'))
    const path = `${exceptions}/${found.exception_id}/close`
    const answer = await t.call('POST', path, { as: operator, body: { resolution: 'Fine' } })
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Assign the deposit')])
  })

  it('of a concurrent assignment and return one succeeds', async () => {
    const account = await org.open()
    for (let round = 0; round < 5; round++) {
      const found = await unmatched(eventOf('2222222222'))
      const answers = await Promise.all([
        settle(found.exception_id, 'assign', { account_id: account.account_id }),
        settle(found.exception_id, 'return', { comment: 'Sent back' }),
      ])
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    }
  })
})
