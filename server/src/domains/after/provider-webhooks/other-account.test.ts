import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pointWebhooks, simulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'
import type { WebhookDelivery } from '@switchyard/simulator/core/webhook-delivery.ts'
import { connectorNames } from '../../../connectors/registry.ts'
import { expectCleanAudit, postToSimulator } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { wholeRampBody } from '../../../../test/worlds/test-ramps.ts'
import { until } from '../../../../test/app/test-relay.ts'
import { createConfig } from '../../providers/configs/create-config.ts'
import { fromNewConfig } from '../../providers/configs/schema.ts'
import { advanceRamp } from '../../products/ramps/advance-ramp.ts'

/** Messages about a payment of the installation's account, from somebody who can sign only for another account. */
const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeAll(async () => {
  const corridor = { country: 'KE', payment_method: 'mobile_money', direction: 'inbound' } as const
  const config = fromNewConfig({ ...corridor, provider: 'mpesa', priority: 1 })
  await createConfig(t.deps, operatorOf(t), { orgId: null, config })
})
beforeEach(async () => {
  org = await openPayments(t)
})

interface Provider {
  /** Begins a payin or a ramp at the installation's account. */
  begin: () => Promise<Json>
  isRamp?: true
  /**
   * What the attacker signs with: the simulated account's secret, and the credentials that hold it. Absent: the
   * provider signs for all of its merchants with one key.
   */
  own?: { secrets: Record<string, string>; credentials: Json }
  /** Absent: verified. */
  verdict?: 'unsigned' | 'provider'
}

const whole = { amount: 1500, target_amount: 1500 }
const inRwanda = { ...whole, country: 'RW', currency: 'RWF', target_currency: 'RWF' }
const inGermany = { ...whole, country: 'DE', currency: 'EUR', target_currency: 'EUR' }
const inBritain = { ...whole, country: 'GB', currency: 'GBP', target_currency: 'GBP' }
const made = 'of-the-attackers-own-making'
const madeHex = 'ab'.repeat(32)

const providers: Record<string, Provider> = {
  stripe: {
    begin: () => begin(bankTransferPayin(inBritain)),
    own: { secrets: { webhook_secret: made }, credentials: { webhookSecrets: [made] } },
  },
  paystack: {
    begin: () => begin(bankTransferPayin(whole)),
    own: { secrets: { secret_key: made }, credentials: { secretKey: made } },
  },
  pawapay: { begin: () => begin(mobileMoneyPayin()), verdict: 'provider' },
  adyen: {
    begin: () => begin(cardPayin(inGermany)),
    own: { secrets: { hmac_key: madeHex }, credentials: { hmacKeys: [madeHex] } },
  },
  flutterwave: {
    begin: () =>
      begin(
        mobileMoneyPayin({
          ...inRwanda,
          mobile_money_details: { provider: 'MTN', phone_number: '250783456789' },
        }),
      ),
    own: { secrets: { secret_hash: made }, credentials: { secretHash: made } },
    verdict: 'unsigned',
  },
  truelayer: { begin: () => begin(bankTransferPayin(inGermany)), verdict: 'provider' },
  yellowcard: {
    begin: async () => ramp(await wholeRampBody(org)),
    isRamp: true,
    own: { secrets: { secret_key: made }, credentials: { secretKey: made } },
  },
  circle: { begin: wireDollars, isRamp: true, verdict: 'provider' },
  mpesa: {
    begin: () => begin(kenyanPayin()),
    own: { secrets: {}, credentials: { consumerSecret: made } },
  },
}

async function begin(body: Json): Promise<Json> {
  const answer = await org.initiate(body)
  expect(answer.text).toContain('"statusCode":200')
  return answer.body.response
}

async function ramp(body: Json): Promise<Json> {
  const answer = await org.call('POST', '/v1/payments-init/ramp', body)
  expect(answer.text).toContain('"statusCode":200')
  return answer.body.response
}

async function wireDollars(): Promise<Json> {
  t.simulator.configure('circle', { options: { customer_pays: '1000.00' } })
  const rates = '/v1/organizations/admin/exchange-rate?fromCurrency=USD&toCurrency=USDC'
  return ramp({
    fiat_currency: 'USD',
    fiat_amount: 1000,
    client_rate: (await org.call('GET', rates)).body.data.rate,
    crypto_currency: 'USDC',
    crypto_network: 'BASE',
    country: 'US',
    direction: 'on_ramp',
    wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    bank_details: { account_number: '12340010', bank_code: '121000248', bank_name: 'WELLS FARGO' },
  })
}

/** The payment is paid at the provider, and the message that says so has not been delivered yet. */
async function payUnheard(name: string): Promise<{ id: string; unheard: WebhookDelivery }> {
  const { payment_id: id, redirect_url: page } = await (providers[name] as Provider).begin() // a key of the table
  expect((await org.record(id)).provider).toBe(name)
  t.simulator.setFaults(name, [{ on: 'webhook', fault: 'webhook_drop', times: 10 }])
  if (page) await fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }) })
  await t.simulator.settle()
  t.simulator.setFaults(name, [])
  const unheard = t.simulator.webhooks(name).at(-1)
  if (unheard?.outcome !== 'dropped') throw new Error(`${name} has sent nothing`)
  return { id, unheard }
}

const send = (name: string, body: Json): Promise<Json> => postToSimulator(t, `/${name}/_webhooks/send`, body)
const post = (url: string, rawBody: string): Promise<CallAnswer> => {
  const { pathname, search } = new URL(url)
  return t.call('POST', `${pathname}${search}`, { rawBody, unaudited: true })
}
const answerTo = (name: string): Json => {
  const { status, answer } = t.simulator.webhooks(name).at(-1)?.attempts[0] ?? {}
  return { status, body: JSON.parse(answer ?? '{}') }
}
const inboxOf = async (id: string): Promise<Json[]> => {
  const { rows } = await t.owner.query(
    'select account_id, verdict, result from inbox where payment_id = $1 order by created_at',
    [id],
  )
  return rows
}

/** Daraja has no signature: the address carries a proof, which the attacker computes with a secret of its own. */
function asMpesaAddress(webhookUrl: string, unheard: WebhookDelivery, secret: string): string {
  const query = new URL(unheard.url ?? '').searchParams
  const [reference, at] = [query.get('reference') ?? '', String(Date.now())]
  const text = ['callback', 'attempt', 'inquiry', reference, at].join(' ')
  const proof = createHmac('sha256', secret).update(text).digest().subarray(0, 24).toString('base64url')
  const named = { reference, subject: 'attempt', kind: 'inquiry', at, proof }
  return `${webhookUrl}?${new URLSearchParams(named).toString()}`
}

async function sendToOwn(name: string, webhookUrl: string, unheard: WebhookDelivery): Promise<Json> {
  if (name === 'mpesa') {
    const { status, body } = await post(asMpesaAddress(webhookUrl, unheard, made), unheard.body)
    return { status, body }
  }
  const { secrets = {} } = providers[name]?.own ?? {}
  const before = t.simulator.configure(name, {})
  const kept = Object.fromEntries(Object.keys(secrets).map((key) => [key, before.secrets[key] ?? '']))
  t.simulator.configure(name, { webhook_url: webhookUrl, secrets })
  try {
    await send(name, { reference: unheard.reference })
  } finally {
    t.simulator.configure(name, { secrets: kept })
    await pointWebhooks(t.deps, operatorOf(t), t.simulator.url)
  }
  return answerTo(name)
}

async function sendForged(name: string, unheard: WebhookDelivery): Promise<Json> {
  if (name === 'mpesa') {
    const url = new URL(unheard.url ?? '')
    const { status, body } = await post(
      asMpesaAddress(`${url.origin}${url.pathname}`, unheard, made),
      unheard.body,
    )
    return { status, body }
  }
  await send(name, { reference: unheard.reference, forge: true })
  return answerTo(name)
}

const sendGenuine = async (name: string, unheard: WebhookDelivery): Promise<void> => {
  if (name === 'mpesa') await post(unheard.url ?? '', unheard.body)
  else await send(name, { reference: unheard.reference })
}

/** The genuine message still counts: no other one has taken its place in the inbox. */
async function expectToComplete(name: string, id: string, unheard: WebhookDelivery): Promise<void> {
  await sendGenuine(name, unheard)
  if (providers[name]?.isRamp)
    await until('the ramp to complete', async () => {
      await t.simulator.settle({ all: true })
      await advanceRamp(t.deps, { orgId: org.orgId, paymentId: id })
      return (await org.record(id)).status === 'completed'
    })
  expect((await org.record(id)).status).toBe('completed')
  await expectCleanAudit(t)
}

it('covers every provider that sends webhooks', () => {
  expect([...Object.keys(providers), 'manual'].sort()).toEqual([...connectorNames].sort())
})

describe('at the address of the attacker’s own account, with keys that it accepts', () => {
  it.each(Object.keys(providers))('%s: taken with 200, kept and raised, never applied', async (name) => {
    const { id, unheard } = await payUnheard(name)
    const [before, postings] = [await org.record(id), await org.postings(id)]
    const credentials = {
      ...simulatorCredentials(t.simulator.url)[name],
      ...providers[name]?.own?.credentials,
    }
    const stored = await org.call('PUT', `/v1/payments/provider-credentials/${name}`, { credentials })
    const answer = await sendToOwn(name, stored.body.data.webhook_url, unheard)
    expect(answer).toMatchObject({ status: 200, body: { message: 'Received.' } })
    expect(await org.record(id)).toEqual(before)
    expect(await org.postings(id)).toEqual(postings)
    const { verdict = 'verified' } = providers[name] ?? {}
    const { rows } = await t.owner.query(
      'select account_id from provider_accounts where org_id = $1 and provider = $2',
      [org.orgId, name],
    )
    expect(await inboxOf(id)).toEqual([
      { account_id: rows[0]?.account_id, verdict, result: 'refused: another account carries it' },
    ])
    expect(await org.exceptions()).toMatchObject([{ kind: 'message_from_other_account', provider: name }])
    await expectToComplete(name, id, unheard)
  })
})

describe('at the address of the account that carries it, with keys of the attacker’s own making', () => {
  it.each(Object.keys(providers))('%s: refused with 401 and kept', async (name) => {
    const { id, unheard } = await payUnheard(name)
    const before = await org.record(id)
    expect(await sendForged(name, unheard)).toMatchObject({
      status: 401,
      body: { message: 'The signature of this webhook is not valid.' },
    })
    expect(await org.record(id)).toEqual(before)
    expect(await inboxOf(id)).toMatchObject([{ verdict: 'forged' }])
    await expectToComplete(name, id, unheard)
  })
})

it('manual: its account has no address that takes messages', async () => {
  const stored = await org.call('PUT', '/v1/payments/provider-credentials/manual', { credentials: {} })
  const answer = await post(stored.body.data.webhook_url, '{}')
  expect([answer.status, answer.body.message]).toEqual([
    404,
    expect.stringContaining('This webhook address was not found.'),
  ])
})
