import { beforeAll, describe, expect, it } from 'vitest'
import { openReader } from '../../../../test/contract/read-everything.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayin,
  mobileMoneyPayout,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'
import { createConfig } from '../../providers/configs/create-config.ts'
import { fromNewConfig } from '../../providers/configs/schema.ts'

const minuteMs = 60_000
const t = usePayments({ delayMs: untilSettled })
const operator = (): string => t.seed.platformAdmin.api_key
let org: OrgPayments
/** What the changing calls of the organisation were answered with. */
const answers: CallAnswer[] = []

const inGermany = { country: 'DE', currency: 'EUR', target_currency: 'EUR', amount: 25, target_amount: 25 }
const inRwanda = { country: 'RW', currency: 'RWF', target_currency: 'RWF', amount: 25, target_amount: 25 }
const safaricom = { provider: 'MPESA', phone_number: '254708663500' }
const inKenya = { country: 'KE', currency: 'KES', momo_details: safaricom }

beforeAll(async () => {
  org = await openPayments(t)
  await preferMpesa()
  t.simulator.setFaults('mpesa', [{ on: 'collect', fault: 'decline' }])
  const fallsBack = await initiate(kenyanPayin({ mobile_money_details: safaricom }))
  const card = await initiate(cardPayin())
  await initiate(cardPayin(inGermany))
  for (const country of [{}, inGermany]) await initiate(bankTransferPayin(country))
  await initiate(mobileMoneyPayin())
  const rwandan = { provider: 'MTN', phone_number: '250783456789' }
  await initiate(mobileMoneyPayin({ ...inRwanda, mobile_money_details: rwandan }))
  const kenyan = kenyanPayin({ mobile_money_details: safaricom })
  await initiate(kenyan)
  await initiate(bankPayout(await org.addBeneficiary(bankBeneficiary())))
  const payee = await org.addBeneficiary(mobileMoneyBeneficiary(inKenya))
  await initiate(mobileMoneyPayout(payee, { ...kenyan, payer_details: null, direction: 'payout' }))
  answers.push(await org.call('POST', '/v1/payments-init/ramp', await wholeRampBody(org)))
  await t.simulator.settle({ all: true })
  for (const id of [fallsBack, card]) await org.advance(id)
  const refunded = await org.call('POST', `/v1/payments/${card}/refund`, { amount: 5, reason: 'A part' })
  answers.push(refunded)
  await t.simulator.settle({ all: true })
  for (const { data } of await ownRows('attempts', card))
    await t.simulator.dispute('stripe', { reference: data.reference, amount: '10.00' })
  answers.push(await org.call('POST', `/v1/payments/${card}/inquire`, {}))
  await t.owner.query('update payments set amount_minor = amount_minor + 1 where org_id = $1', [org.orgId])
  for (const provider of ['paystack', 'stripe', 'adyen', 'flutterwave', 'truelayer'])
    answers.push(await org.call('POST', '/v1/payments/reconciliation', { provider, since: since() }))
}, 120_000)

const since = (): string => new Date(Date.now() - 60 * minuteMs).toISOString()

async function preferMpesa(): Promise<void> {
  for (const direction of ['inbound', 'outbound'] as const) {
    const terms = { provider: 'mpesa', country: 'KE', payment_method: 'mobile_money', priority: 1 } as const
    const config = fromNewConfig({ ...terms, direction })
    await createConfig(t.deps, operatorOf(t), { orgId: null, config })
  }
}

async function initiate(body: Json): Promise<string> {
  const answer = await org.initiate(body)
  answers.push(answer)
  const id = answer.body.response?.payment_id
  if (id === undefined) throw new Error(answer.text)
  return id
}

async function ownRows(table: 'attempts' | 'refunds' | 'ramp_legs', paymentId?: string): Promise<Json[]> {
  const { rows } = await t.owner.query(
    `select provider, reference::text, custody from ${table} where org_id = $1 and ($2::uuid is null or payment_id = $2)`,
    [org.orgId, paymentId ?? null],
  )
  return rows.map((row: Json) => ({ kind: table, data: row }))
}

async function hiddenReferences(): Promise<string[]> {
  const rows = [
    ...(await ownRows('attempts')),
    ...(await ownRows('refunds')),
    ...(await ownRows('ramp_legs')),
  ]
  expect(new Set(rows.map(({ kind }) => kind)).size).toBe(3)
  expect(rows.every(({ data }) => data.custody === 'pooled')).toBe(true)
  const providers = new Set(rows.map(({ data }) => data.provider))
  const expected = [
    'adyen',
    'flutterwave',
    'mpesa',
    'pawapay',
    'paystack',
    'stripe',
    'truelayer',
    'yellowcard',
  ]
  expect(providers).toEqual(new Set(expected))
  return rows.flatMap(({ data }) => [data.reference, data.reference.replaceAll('-', '')])
}

async function installationAddresses(): Promise<string[]> {
  const { body } = await t.call('GET', '/v1/payments/provider-accounts', { as: operator() })
  const urls: string[] = body.data.map(({ webhook_url }: Json) => webhook_url)
  expect(urls.every((url) => url.includes('/webhooks/'))).toBe(true)
  return urls.map((url) => url.split('/').at(-1) ?? url)
}

const nameless = ({ status, text, body }: CallAnswer): string =>
  `${status} ${body?.message ?? ''} ${text.slice(0, 80)}`

describe('a tenant', () => {
  it('finds neither a reference nor a webhook address of an account of the installation in any answer', async () => {
    const hidden = [...(await hiddenReferences()), ...(await installationAddresses())]
    const leaks = new Set<string>()
    let answered = 0
    const isTold = (text: string): boolean =>
      hidden.some((one) => text.toLowerCase().includes(one.toLowerCase()))
    for (const answer of answers) if (isTold(answer.text)) leaks.add(nameless(answer))
    const readEverything = await openReader(t, org.orgId)
    await readEverything(org.credential, ({ name, status, text }) => {
      if (isTold(text)) leaks.add(name)
      if (status === 200) answered += 1
    })
    for (const { data } of await ownRows('attempts')) {
      const { rows } = await t.owner.query('select payment_id from attempts where reference = $1', [
        data.reference,
      ])
      const path = `/v1/payments/${rows[0].payment_id}`
      for (const one of [path, `/v1/payments/transaction/${rows[0].payment_id}`, `${path}/timeline`])
        if (isTold((await org.call('GET', one)).text)) leaks.add(`${data.provider} ${one.slice(0, 30)}`)
    }
    const { rows } = await t.owner.query('select data from events where org_id = $1', [org.orgId])
    if (rows.some(({ data }) => isTold(data))) leaks.add('an event')
    expect([...leaks]).toEqual([])
    expect(answered).toBeGreaterThan(50)
  }, 120_000)

  it('does not find a payment by a reference, nor by its beginning', async () => {
    const found: string[] = []
    for (const { data } of await ownRows('attempts'))
      for (const q of [data.reference, data.reference.slice(0, 13)]) {
        const { body } = await org.call('GET', `/v1/transactions?q=${q}`)
        if (body.data.length > 0) found.push(data.provider)
      }
    expect(found).toEqual([])
  })

  it('sees both of accounts of its own, and finds payments by their references', async () => {
    const own = await openPayments(t)
    const account = await own.ownAccount('paystack', {
      secretKey: 'sk_test_switchyard_sandbox',
      baseUrl: `${t.simulator.url}/paystack`,
    })
    expect(account.webhook_url).toContain('/providers/paystack/webhooks/')
    const id = await own.start(bankTransferPayin())
    const { rows } = await t.owner.query(
      'select reference::text, custody from attempts where payment_id = $1',
      [id],
    )
    const [{ reference, custody }] = rows
    expect(custody).toBe('own')
    expect((await own.record(id)).provider_data.reference).toBe(reference)
    const attempt = (await own.timeline(id)).find(({ kind }) => kind === 'attempt')
    expect(attempt?.data.reference).toBe(reference)
    const found = await own.call('GET', `/v1/transactions?q=${reference}`)
    expect(found.body.data.map(({ payment_id }: Json) => payment_id)).toEqual([id])
    const accounts = (await own.call('GET', '/v1/payments/provider-accounts')).body.data
    expect(accounts.map((one: Json) => [one.custody, one.webhook_url === null])).toEqual(
      expect.arrayContaining([
        ['own', false],
        ['pooled', true],
      ]),
    )
  })

  it('sees the ids that providers gave its payments', async () => {
    const { rows } = await t.owner.query(
      `select a.payment_id, a.provider_ref from attempts a where a.org_id = $1 and a.provider = 'stripe'`,
      [org.orgId],
    )
    const [{ payment_id: id, provider_ref: providerRef }] = rows
    expect((await org.record(id)).provider_payment_id).toBe(providerRef)
    const attempt = (await org.timeline(id)).find(({ kind }) => kind === 'attempt')
    expect(attempt?.data).toMatchObject({ provider_ref: providerRef, reference: null })
  })
})

describe('the operator', () => {
  it('sees the addresses of the accounts of the installation', async () => {
    for (const path of ['provider-accounts', 'provider-credentials']) {
      const { body } = await t.call('GET', `/v1/payments/${path}`, { as: operator() })
      const pooled = body.data.filter((one: Json) => one.org_id === null)
      expect(pooled.length).toBeGreaterThan(5)
      for (const one of pooled) expect(one.webhook_url).toContain(`/v1/providers/${one.provider}/webhooks/`)
    }
  })

  it('sees the reference of the payment of an organisation, by asking the provider about it', async () => {
    const { rows } = await t.owner.query(
      `select payment_id, reference::text from attempts where org_id = $1 and provider = 'truelayer'`,
      [org.orgId],
    )
    const [{ payment_id: id, reference }] = rows
    const { body } = await t.call('POST', `/v1/payments/${id}/inquire`, {
      as: operator(),
      body: { org_id: org.orgId },
    })
    expect(body.provider_data.reference).toBe(reference)
  })
})

describe('a reference', () => {
  it('is a random UUID, and neither the id of the payment nor of anything else that is shown', async () => {
    const { rows } = await t.owner.query<{ reference: string; id: string }>(
      `select reference::text, payment_id::text as id from attempts where org_id = $1
       union all select reference::text, refund_id::text from refunds where org_id = $1
       union all select reference::text, payment_id::text from ramp_legs where org_id = $1`,
      [org.orgId],
    )
    for (const { reference, id } of rows) {
      expect(reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(reference).not.toBe(id)
    }
    expect(new Set(rows.map(({ reference }) => reference.slice(0, 8))).size).toBe(rows.length)
  })
})
