import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  ghanaianPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { brandOf } from './rules.ts'

const t = usePayments({ delayMs: untilSettled, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  await t.owner.query('delete from networks')
  t.deps.networkCache.clear()
  t.simulator.setFaults('pawapay', [])
  org = await openPayments(t)
})

const list = async (body: Json): Promise<Json[]> => (await org.networks(body)).body.data
const named = async (country: string, provider: string): Promise<Json> =>
  (await list({ country })).find((network) => network.provider === provider)
const setNetworks = (options: Record<string, string>): unknown =>
  t.simulator.configure('pawapay', { options })

describe('200', () => {
  it('lists the networks of a country with their limits and state', async () => {
    const answer = await org.networks({ country: 'UG' })
    expect(answer.body).toMatchObject({ status: 'success', message: expect.any(String) })
    expect(answer.body.count).toBe(answer.body.data.length)
    expect(answer.body.data.find(({ provider }: Json) => provider === 'MTN')).toEqual({
      provider: 'MTN',
      name: expect.stringContaining('MTN'),
      country: 'UG',
      currency: 'UGX',
      payment_method: 'mobile_money',
      directions: ['payin', 'payout'],
      min_amount: expect.any(Number),
      max_amount: expect.any(Number),
      status: 'operational',
    })
    expect(answer.text).toMatch(/"min_amount":\d+\.\d+,"max_amount":\d+\.\d+/)
  })

  it('merges a network that two providers name differently', async () => {
    const names = (await list({ country: 'GH' })).map(({ provider }) => provider)
    expect(names.filter((name) => name === 'MTN')).toHaveLength(1)
    const { rows } = await t.owner.query(
      `select provider, code from networks where country = 'GH' and brand = 'MTN'`,
    )
    expect(rows).toHaveLength(2)
  })

  it('shows our names only, and sends each provider its own code', async () => {
    const names: string[] = (await list({ country: 'GH' })).map(({ provider }) => provider)
    expect(names.sort()).toEqual(['AIRTELTIGO', 'MTN', 'TELECEL'])
    const { rows } = await t.owner.query(
      `select brand, code from networks where country = 'GH' and provider = 'paystack' order by brand`,
    )
    expect(rows).toEqual([
      { brand: 'AIRTELTIGO', code: 'ATL' },
      { brand: 'MTN', code: 'MTN' },
      { brand: 'TELECEL', code: 'VOD' },
    ])
    // Only Paystack's `vod` network asks for a voucher.
    const mobile_money_details = { provider: 'TELECEL', phone_number: '0201234567' }
    const { body } = await org.initiate(ghanaianPayin({ mobile_money_details }))
    expect(body.response).toMatchObject({ provider: 'paystack', next_action: 'collect_otp' })
  })

  it('the name of a network is accepted like its provider, in any case', async () => {
    const { name } = await named('GH', 'TELECEL')
    expect(name).toBe('Vodafone')
    for (const sent of [name, 'VODAFONE', ' vodafone ', 'telecel', 'vod']) {
      const mobile_money_details = { provider: sent, phone_number: '0201234567' }
      const { status, body } = await org.initiate(ghanaianPayin({ mobile_money_details }))
      expect([sent, status]).toEqual([sent, 200])
      expect((await org.record(body.response.payment_id)).mobile_money_details.provider).toBe('TELECEL')
    }
  })

  it('every listed name is accepted by an initiation', async () => {
    const phones: Record<string, string> = { MTN: '256783456789', AIRTEL: '256753456789' }
    const listed = await list({ country: 'UG', direction: 'payin' })
    const names: string[] = listed.map(({ provider }) => provider)
    expect(names.sort()).toEqual(Object.keys(phones).sort())
    for (const { provider } of listed) {
      const mobile_money_details = { provider, phone_number: phones[provider] }
      expect((await org.initiate(mobileMoneyPayin({ mobile_money_details }))).status).toBe(200)
    }
  })

  it.each([
    [{ country: 'UG', currency: 'UGX' }, true],
    [{ country: 'UG', currency: 'KES' }, false],
    [{ country: 'UG', direction: 'payout' }, true],
    [{ country: 'UG', payment_method: 'mobile_money' }, true],
  ])('filtered by %j', async (body, isListed) => {
    expect((await list(body)).some(({ provider }) => provider === 'MTN')).toBe(isListed)
  })

  it.each([
    ['CLOSED', 'closed'],
    ['DELAYED', 'delayed'],
  ])('a network that its provider calls %s is listed as %s', async (option, status) => {
    setNetworks({ MTN_MOMO_UGA: option })
    const network = await named('UG', 'MTN')
    setNetworks({ MTN_MOMO_UGA: 'OPERATIONAL' })
    expect(network.status).toBe(status)
  })

  it('the better state of two providers is shown', async () => {
    setNetworks({ MTN_MOMO_GHA: 'CLOSED' })
    const network = await named('GH', 'MTN')
    setNetworks({ MTN_MOMO_GHA: 'OPERATIONAL' })
    expect(network.status).toBe('operational')
  })

  it('a provider that does not answer does not affect the others', async () => {
    t.simulator.setFaults('pawapay', [{ on: 'list', fault: 'error_500' }])
    expect((await list({ country: 'KE' })).map(({ provider }) => provider)).toEqual(['MPESA'])
  })

  it('a country without an active configuration has none', async () => {
    expect((await org.networks({ country: 'TZ' })).body).toMatchObject({ data: [], count: 0 })
    const config = {
      provider: 'pawapay',
      country: 'TZ',
      payment_method: 'mobile_money',
      direction: 'inbound',
    }
    await org.call('POST', '/v1/payments/provider-configs', { ...config, is_active: false })
    t.deps.networkCache.clear()
    expect(await list({ country: 'TZ' })).toEqual([])
    await org.call('POST', '/v1/payments/provider-configs', config)
    t.deps.networkCache.clear()
    expect((await list({ country: 'TZ' })).length).toBeGreaterThan(0)
  })

  it('networks of an organisation’s own providers are hidden from others', async () => {
    const config = {
      provider: 'pawapay',
      country: 'ZM',
      payment_method: 'mobile_money',
      direction: 'inbound',
    }
    await org.call('POST', '/v1/payments/provider-configs', config)
    expect((await list({ country: 'ZM' })).length).toBeGreaterThan(0)
    expect((await (await openPayments(t)).networks({ country: 'ZM' })).body.data).toEqual([])
  })

  it('a viewer may list networks', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const call = { as: viewer.token, body: { country: 'UG' }, unaudited: true }
    expect((await t.call('POST', '/v1/externals/networks', call)).status).toBe(200)
  })
})

describe('400', () => {
  it.each([
    {},
    { country: 'Uganda' },
    { country: 'UG', currency: 'SHILLING' },
    { country: 'UG', direction: 'inbound' },
    { country: 'UG', payment_method: 'card' },
  ])('%j', async (body) => {
    expect((await org.networks(body)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('POST', '/v1/externals/networks', { body: { country: 'UG' } })).status).toBe(401)
  })
})

describe('brandOf', () => {
  it.each([
    ['MTN MoMo', 'MTN_MOMO_GHA', 'MTN'],
    ['MTN', 'mtn', 'MTN'],
    ['AirtelTigo', 'ATL', 'AIRTELTIGO'],
    ['AirtelTigo', 'AIRTELTIGO_GHA', 'AIRTELTIGO'],
    ['Airtel', 'AIRTEL_OAPI_UGA', 'AIRTEL'],
    ['Tigo', 'TIGO_TZA', 'TIGO'],
    ['Vodafone', 'VOD', 'TELECEL'],
    ['Telecel', 'VODAFONE_GHA', 'TELECEL'],
    ['M-PESA', 'MPESA', 'MPESA'],
    ['M-Pesa', 'MPESA_KEN', 'MPESA'],
    ['Vodacom M-Pesa', 'VODACOM_MPESA_COD', 'MPESA'],
    ['Vodacom', 'VODACOM_TZA', 'VODACOM'],
    ['Wave', 'WAVE_SEN', 'WAVE'],
    ['Orange', 'ORANGE_SEN', 'ORANGE'],
    ['Free', 'FREE_SEN', 'FREE'],
    ['Something new', 'new_one', 'NEW_ONE'],
  ])('%s (%s) is %s', (name, code, brand) => {
    expect(brandOf(name, code)).toBe(brand)
  })
})
