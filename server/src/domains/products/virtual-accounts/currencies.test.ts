import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectCleanAudit,
  openAccounts,
  postToSimulator,
  type TestAccounts,
} from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

/** Accounts in euros, pounds and dollars, which Adyen opens. */
const hmacKey = '51757397D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB'
const clock = createTestClock()
const since = new Date(Date.now() - 3_600_000).toISOString()
const t = usePayments({ delayMs: untilSettled, clock })
let org: TestAccounts
let operator: string
let address: string
beforeAll(async () => {
  operator = t.seed.platformAdmin.api_key
  clock.pass(11 * 60_000)
  const { body } = await t.call('GET', '/v1/payments/provider-credentials', { as: operator })
  address = body.data.find(({ provider }: Json) => provider === 'adyen').webhook_url
})
afterAll(() => expectCleanAudit(t))
beforeEach(async () => {
  org = await openAccounts(t)
})

const deposit = async ({ bank_details }: Json, change: Json = {}): Promise<string> => {
  const { account_number } = bank_details
  const body = { account_number, amount: 12_345, sender_name: 'A. Klaassen', ...change }
  return (await postToSimulator(t, '/adyen/_bank/deposit', body)).reference
}
const balance = async ({ account_id }: Json): Promise<number> => (await org.account(account_id)).balance
/** The simulator's own report of a deposit. */
const reportOf = async (reference: string): Promise<Json> => {
  const sent: Json = await (await fetch(`${t.simulator.url}/adyen/_webhooks`)).json()
  const bodies = sent.webhooks.map(({ body }: Json) => JSON.parse(body))
  return bodies.find(({ data }: Json) => data?.id === reference)
}
const tell = (event: Json, key = hmacKey, to = address): Promise<CallAnswer> => {
  const rawBody = JSON.stringify(event)
  const hmacsignature = createHmac('sha256', Buffer.from(key, 'hex')).update(rawBody).digest('base64')
  return t.call('POST', new URL(to).pathname, { rawBody, headers: { hmacsignature }, unaudited: true })
}
const exceptionsOf = async (kind: string, reference: string): Promise<Json[]> => {
  const { body } = await t.call('GET', `/v1/payments/exceptions?kind=${kind}&limit=100`, { as: operator })
  return body.data.filter(({ summary }: Json) => summary.includes(reference))
}

let lastId = 1
/** Another report about the account that this deposit came to. */
const reportLike = async (reference: string, change: Json = {}): Promise<Json> => {
  const { data, ...event } = await reportOf(reference)
  return { ...event, data: { ...data, id: `3JTEST${lastId++}`, ...change } }
}

describe('201', () => {
  it.each([
    ['EUR', { account_number: expect.stringMatching(/^NL\d\dADYB\d{10}$/), iban: expect.any(String) }],
    [
      'GBP',
      { account_number: expect.stringMatching(/^\d{8}$/), sort_code: '042957', iban: expect.any(String) },
    ],
    ['USD', { account_number: expect.stringMatching(/^\d{9}$/), routing_number: '210000210' }],
  ])('%s: opened, paid into, published and read back', async (currency, details) => {
    const account = await org.open({ currency })
    expect(account).toMatchObject({ currency, provider: 'adyen', custody: 'pooled', balance: 0 })
    expect(account.bank_details).toEqual({
      account_name: 'Switchyard Sandbox B.V.',
      bank_name: 'Adyen N.V.',
      ...details,
    })
    await deposit(account)
    expect(await balance(account)).toBe(123.45)
    const [line] = await org.transactions(account.account_id)
    expect(line).toMatchObject({ type: 'credit', status: 'completed', amount: 123.45, currency })
    const { rows } = await t.owner.query(
      'select event_type, data from events where org_id = $1 and resource_id = $2',
      [org.orgId, account.account_id],
    )
    expect(rows).toMatchObject([{ event_type: 'virtual_account.deposit' }])
    expect(JSON.parse(rows[0].data)).toEqual({ ...line, sequence: 1 })
  })

  it('each account has its own number, and money reaches only the one that it was sent to', async () => {
    const [one, two] = [await org.open({ currency: 'GBP' }), await org.open({ currency: 'GBP' })]
    expect(one.bank_details.account_number).not.toBe(two.bank_details.account_number)
    await deposit(two)
    expect([await balance(one), await balance(two)]).toEqual([0, 123.45])
  })

  it('the provider of the organisation’s own country comes first', async () => {
    expect(await org.open({ currency: 'NGN' })).toMatchObject({ provider: 'paystack' })
    expect(await org.open({ currency: 'KES' })).toMatchObject({ provider: 'internal', bank_details: null })
  })
})

describe('200', () => {
  it('the IBAN is masked like the number', async () => {
    const { account_id, bank_details } = await org.open({ currency: 'GBP' })
    const viewer = await t.call('GET', `/v1/virtual-accounts/${account_id}`, {
      as: await org.staff('viewer'),
    })
    expect(viewer.body.data.bank_details).toMatchObject({
      sort_code: '042957',
      iban: expect.stringMatching(/^\*{18}/),
    })
    const list = await org.call('GET', '/v1/virtual-accounts')
    for (const secret of [bank_details.account_number, bank_details.iban])
      expect(viewer.text + list.text).not.toContain(secret)
  })

  it('a deposit whose webhook was lost is booked once by reconciliation', async () => {
    const account = await org.open({ currency: 'USD' })
    t.simulator.setFaults('adyen', [{ on: 'webhook', fault: 'webhook_drop' }])
    const lost = await deposit(account)
    expect(await balance(account)).toBe(0)
    const reconcile = async (): Promise<Json[]> => {
      const body = { provider: 'adyen', since }
      const answer = await t.call('POST', '/v1/payments/reconciliation', { as: operator, body })
      return answer.body.data.findings.filter(({ reference }: Json) => reference.startsWith(lost))
    }
    expect(await reconcile()).toMatchObject([{ kind: 'deposit_missed', reference: lost, payment_id: null }])
    expect(await balance(account)).toBe(123.45)
    expect(await reconcile()).toEqual([])
    await postToSimulator(t, '/adyen/_webhooks/send', { reference: lost, duplicate: true })
    expect(await balance(account)).toBe(123.45)
    await postToSimulator(t, '/adyen/_reverse', { reference: lost, silently: true })
    expect(await reconcile()).toMatchObject([{ kind: 'missing_here', reference: `${lost} returned` }])
  })
})

describe('a thief', () => {
  it('forges, replays and repeats a report: it is credited once', async () => {
    const account = await org.open({ currency: 'EUR' })
    const genuine = await deposit(account)
    const report = await reportOf(genuine)
    expect((await tell(await reportLike(genuine), '00'.repeat(32))).status).toBe(401)
    const answers = await Promise.all(Array.from({ length: 5 }, () => tell(report)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await balance(account)).toBe(123.45)
  })

  it('reports with keys of its own: nobody is credited', async () => {
    const account = await org.open({ currency: 'EUR' })
    const report = await reportLike(await deposit(account))
    const stranger = await openAccounts(t)
    const ownKey = 'ab'.repeat(32)
    const { webhook_url } = await stranger.ownAccount('adyen', {
      apiKey: 'made-up',
      merchantAccount: 'THIEF',
      hmacKeys: [ownKey],
      checkoutUrl: `${t.simulator.url}/adyen/v72`,
      transfers: {
        apiKey: 'made-up',
        balanceAccountId: report.data.balanceAccount.id,
        hmacKeys: [ownKey],
        baseUrl: `${t.simulator.url}/adyen/btl/v4`,
        accountHolder: 'Thief',
      },
    })
    expect((await tell(report, ownKey, webhook_url)).status).toBe(200)
    expect(await balance(account)).toBe(123.45)
    expect((await stranger.exceptions()).map(({ kind }) => kind)).toEqual(['message_from_other_account'])
  })

  it('sends another currency, or to a closed account: the money goes to suspense', async () => {
    const account = await org.open({ currency: 'EUR' })
    const dollars = await deposit(account, { currency: 'USD' })
    await t.owner.query(`update virtual_accounts set status = 'closed' where account_id = $1`, [
      account.account_id,
    ])
    const late = await deposit(account)
    expect(await balance(account)).toBe(0)
    for (const reference of [dollars, late])
      expect(await exceptionsOf('unmatched_deposit', reference)).toMatchObject([
        { status: 'open', summary: expect.stringContaining('in another currency, or closed') },
      ])
    await t.owner.query(`update virtual_accounts set status = 'active' where account_id = $1`, [
      account.account_id,
    ])
  })

  it('sends to an account that nobody has: the money goes to suspense', async () => {
    const reference = await deposit({ bank_details: { account_number: '00000000' } }, { currency: 'GBP' })
    expect(await exceptionsOf('unmatched_deposit', reference)).toMatchObject([{ status: 'open' }])
  })

  it.each([
    ['a direct debit, which takes money out', { type: 'bankDirectDebit' }],
    ['a deposit that the bank took back', { status: 'returned' }],
  ])('%s is credited to nobody and raised', async (_title, change) => {
    const account = await org.open({ currency: 'EUR' })
    const report = await reportLike(await deposit(account), change)
    expect((await tell(report)).status).toBe(200)
    expect(await balance(account)).toBe(123.45)
    expect(await exceptionsOf('unknown_reference', report.data.id)).toMatchObject([{ status: 'open' }])
  })
})

describe('502', () => {
  it('the provider does not answer: no internal account is opened instead', async () => {
    t.simulator.setFaults('adyen', [{ on: 'prepare', fault: 'error_500' }])
    const body = { org_id: org.orgId, user_id: org.userId, currency: 'USD' }
    expect((await org.call('POST', '/v1/virtual-accounts/internal/bank', body)).status).toBe(502)
    expect((await org.call('GET', '/v1/virtual-accounts')).body.data).toEqual([])
  })
})
