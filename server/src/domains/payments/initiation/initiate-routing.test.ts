import { beforeEach, describe, expect, it } from 'vitest'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
  createTestClock,
  kenyanPayin,
  mobileMoneyPayin,
  openPayments,
  renewRates,
  untilSettled,
  usePayments,
  type OrgPayments,
  operatorOf,
  storeInstallationKeys,
} from '../../../../test/worlds/test-payments.ts'
import { simulatorCredentials, storeSimulatorCredentials } from '@switchyard/stack/seeds/seed-providers.ts'

const minuteMs = 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  await storeSimulatorCredentials(t.deps, operatorOf(t), t.simulator.url)
  org = await openPayments(t)
})

const rates = '/v1/organizations/admin/exchange-rate'
const configs = '/v1/payments/provider-configs'
const quote = async (pair: string, of: OrgPayments = org): Promise<Json> => {
  const [from, to] = pair.split('/')
  return (await of.call('GET', `${rates}?fromCurrency=${from}&toCurrency=${to}`)).body.data
}
const dollars = (change: object): Json => cardPayin({ currency: 'USD', target_currency: 'GBP', ...change })
const nowhere = 'http://127.0.0.1:1'
const pointAt = (provider: string, baseUrl: string): Promise<CallAnswer> => {
  const credentials = provider === 'pawapay' ? { apiToken: 'token' } : { secretKey: 'key' }
  return storeInstallationKeys(t, provider, { ...credentials, baseUrl })
}
const refusalOf = ({ status, body }: CallAnswer): unknown[] => [status, body.code]

describe('400 RATE_MISMATCH', () => {
  const rounded = (amount: number, rate: number): number => Number((amount * rate).toFixed(2))
  const expectRefused = async (body: Json, why: string): Promise<void> => {
    const before = t.simulator.log().length
    const answer = await org.initiate(body)
    expect(refusalOf(answer)).toEqual([400, 'RATE_MISMATCH'])
    expect(answer.body.message).toContain(why)
    expect(answer.body.message).toContain('Fetch a new rate')
    expect(answer.body.error).toBe('Bad Request')
    expect(t.simulator.log()).toHaveLength(before)
  }

  it('a rate that was never quoted', async () => {
    const org_rate_id = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
    await expectRefused(dollars({ org_rate_id, target_amount: 20 }), 'unknown')
  })

  it('a rate that was quoted to another organisation', async () => {
    const { org_rate_id, rate } = await quote('USD/GBP', await openPayments(t))
    await expectRefused(dollars({ org_rate_id, target_amount: rounded(25, rate) }), 'unknown')
  })

  it('a rate that has expired', async () => {
    const { org_rate_id, rate, expires_at } = await quote('USD/GBP')
    const body = dollars({ org_rate_id, target_amount: rounded(25, rate) })
    clock.pass(new Date(expires_at).getTime() - clock.now().getTime() - minuteMs)
    expect((await org.initiate(body)).status).toBe(200)
    clock.pass(minuteMs)
    await expectRefused(body, 'expired')
    await renewRates(t, clock)
  })

  it.each([
    ['to another currency', 'USD/EUR', 'from USD to EUR'],
    ['from another currency', 'EUR/GBP', 'from EUR to GBP'],
    ['the other way round', 'GBP/USD', 'from GBP to USD'],
  ])('a rate %s', async (_name, pair, words) => {
    const { org_rate_id, rate } = await quote(pair)
    await expectRefused(dollars({ org_rate_id, target_amount: rounded(25, rate) }), words)
  })

  it.each([0.02, -0.02])('a target amount that is off by %d', async (off) => {
    const { org_rate_id, rate } = await quote('USD/GBP')
    const target = rounded(25, rate)
    const wrong = Number((target + off).toFixed(2))
    await expectRefused(dollars({ org_rate_id, target_amount: wrong }), 'target_amount')
    expect((await org.initiate(dollars({ org_rate_id, target_amount: target }))).status).toBe(200)
  })

  it.each(['abc', '0198C0DE', "' or 1=1 --"])('an org_rate_id that no quote can have: %s', async (id) => {
    await expectRefused(dollars({ org_rate_id: id, target_amount: 20 }), 'unknown')
  })
})

describe('422 ROUTING_CONFIG_NOT_FOUND', () => {
  const expectRefused = async (body: Json): Promise<void> => {
    const before = t.simulator.log().length
    const answer = await org.initiate(body)
    expect(refusalOf(answer)).toEqual([422, 'ROUTING_CONFIG_NOT_FOUND'])
    expect(answer.body).toMatchObject({ error: 'Unprocessable Entity', message: expect.any(String) })
    expect(t.simulator.log()).toHaveLength(before)
  }
  /** In a country where the installation has nothing, so that the organisation's own are all there is. */
  const french = (change: object = {}): Json =>
    cardPayin({ country: 'FR', currency: 'EUR', target_currency: 'EUR', ...change })
  const configure = async (change: object = {}, by: OrgPayments = org): Promise<CallAnswer> => {
    const { stripe: credentials } = simulatorCredentials(t.simulator.url)
    await by.call('PUT', '/v1/payments/provider-credentials/stripe', { credentials })
    return by.call('POST', configs, {
      provider: 'stripe',
      country: 'FR',
      payment_method: 'card',
      direction: 'inbound',
      ...change,
    })
  }

  it('no configuration for the country', async () => {
    await expectRefused(french())
    await configure()
    expect((await org.initiate(french())).status).toBe(200)
  })

  it.each([
    ['method', { payment_method: 'bank_transfer' }],
    ['direction', { direction: 'outbound' }],
  ])('none for the %s', async (_name, change) => {
    await configure(change)
    await expectRefused(french())
  })

  it('one that is switched off', async () => {
    const { config_id } = (await configure({ is_active: false })).body.data
    await expectRefused(french())
    await org.call('PATCH', `${configs}/stripe/${config_id}`, { is_active: true })
    expect((await org.initiate(french())).status).toBe(200)
  })

  it('an amount below or above its range; the bounds themselves fit', async () => {
    await configure({ min_amount: 10, max_amount: 20.5 })
    for (const amount of [9.99, 20.51]) await expectRefused(french({ amount, target_amount: amount }))
    for (const amount of [10, 20.5])
      expect((await org.initiate(french({ amount, target_amount: amount }))).status).toBe(200)
  })

  it('a currency that its provider does not take', async () => {
    await configure()
    await expectRefused(french({ currency: 'NGN', target_currency: 'NGN' }))
  })

  it('a provider that does not do this method', async () => {
    await configure({ payment_method: 'mobile_money' })
    const details = { mobile_money_details: { provider: 'ORANGE', phone_number: '+33612345678' } }
    await expectRefused(french({ payment_method: 'mobile_money', ...details }))
  })

  it('a provider whose accounts are retired, or without a connector', async () => {
    const set = async (status: string): Promise<void> => {
      await t.owner.query(`update provider_accounts set status = $1 where provider = 'stripe'`, [status])
      t.deps.corridors.invalidate()
    }
    await configure()
    await configure({ provider: 'fiat' })
    await set('retired')
    await expectRefused(french())
    await set('active')
    expect((await org.initiate(french())).status).toBe(200)
  })

  it('another organisation’s configuration', async () => {
    await configure({}, await openPayments(t))
    await expectRefused(french())
  })

  it('mobile money where no provider lists the networks that it reaches', async () => {
    await pointAt('pawapay', nowhere)
    await configure({ provider: 'pawapay', country: 'ZM', payment_method: 'mobile_money' })
    const money = {
      amount: 5000,
      target_amount: 5000,
      currency: 'ZMW',
      target_currency: 'ZMW',
      country: 'ZM',
    }
    const details = { mobile_money_details: { provider: 'MTN', phone_number: '260763456789' } }
    await expectRefused(mobileMoneyPayin({ ...money, ...details }))
  })
})

describe('502 ALL_PROVIDERS_FAILED', () => {
  const expectAllFailed = async (body: Json, states: string[], code: string): Promise<void> => {
    await org.networks({ country: 'KE' })
    const before = t.simulator.log().length
    const answer = await org.initiate(body)
    expect(refusalOf(answer)).toEqual([502, 'ALL_PROVIDERS_FAILED'])
    expect(answer.body).toMatchObject({
      error: 'Bad Gateway',
      message: expect.stringContaining('Nothing was charged'),
    })
    expect(t.simulator.log()).toHaveLength(before)
    const { body: list } = await org.call('GET', '/v1/transactions?status=failed')
    const attempts = await org.attempts(list.data[0].payment_id)
    expect(attempts.map(({ summary }) => summary)).toEqual(states)
    expect(answer.body.payment_id).toBe(list.data[0].payment_id)
    expect((await org.record(answer.body.payment_id)).failure.code).toBe(code)
    expect(answer.body.failure?.code ?? 'ALL_PROVIDERS_FAILED').toBe(code)
  }
  const decline = { on: 'collect', fault: 'decline' } as const

  it('each connection refused', async () => {
    await org.networks({ country: 'KE' })
    await pointAt('pawapay', nowhere)
    await pointAt('paystack', nowhere)
    await expectAllFailed(
      kenyanPayin(),
      ['attempt 1 at pawapay: not_sent', 'attempt 2 at paystack: not_sent'],
      'ALL_PROVIDERS_FAILED',
    )
  })

  it('each declined it, and another might have taken it', async () => {
    t.simulator.setFaults('pawapay', [decline])
    t.simulator.setFaults('paystack', [decline])
    await expectAllFailed(
      kenyanPayin(),
      ['attempt 1 at pawapay: declined', 'attempt 2 at paystack: declined'],
      'PROVIDER_UNAVAILABLE',
    )
  })

  it('one declined, one refused the connection', async () => {
    await org.networks({ country: 'KE' })
    await pointAt('paystack', nowhere)
    t.simulator.setFaults('pawapay', [decline])
    await expectAllFailed(
      kenyanPayin(),
      ['attempt 1 at pawapay: declined', 'attempt 2 at paystack: not_sent'],
      'PROVIDER_UNAVAILABLE',
    )
  })

  it('the only one refused the connection: a card is gone after that, and so is a bank transfer', async () => {
    const stripe = { webhookSecrets: ['whsec_switchyard_sandbox'], secretKey: 'key', baseUrl: nowhere }
    await storeInstallationKeys(t, 'stripe', stripe)
    expect(refusalOf(await org.initiate(cardPayin()))).toEqual([502, 'ALL_PROVIDERS_FAILED'])
    const british = { country: 'GB', currency: 'GBP', target_currency: 'GBP' }
    expect(refusalOf(await org.initiate(bankTransferPayin(british)))).toEqual([502, 'ALL_PROVIDERS_FAILED'])
  })
})
