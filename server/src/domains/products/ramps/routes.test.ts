import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import { mobileMoneyBeneficiary } from '../../../../test/worlds/test-payments.ts'
import {
  offRampBody,
  onRampBody,
  openRamps,
  useRamps,
  type OrgRamps,
} from '../../../../test/worlds/test-ramps.ts'

const t = useRamps()
let org: OrgRamps
let onRate: number
let offRate: number
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

beforeEach(async () => {
  org = await openRamps(t)
  await org.configure('hybrid', 'UG')
  onRate = await org.rate('UGX', 'USDC')
  offRate = await org.rate('USDC', 'UGX')
})

const on = (change: object = {}) =>
  org.ramp(onRampBody({ wallet_address: wallet, client_rate: onRate, ...change }))

describe('200', () => {
  it('an on-ramp: every field of the spec, with the status in which it waits for the customer', async () => {
    const { status, body, text } = await on()
    expect(status).toBe(200)
    expect(body).toEqual({
      statusCode: 200,
      response: {
        success: true,
        payment_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        transaction_id: body.response.payment_id,
        direction: 'on_ramp',
        status: 'pending',
        fiat_currency: 'UGX',
        fiat_amount: 369_550,
        crypto_currency: 'USDC',
        crypto_network: 'BASE',
        crypto_amount: 99.999999,
        provider: 'hybrid',
        expires_at: expect.stringMatching(/Z$/),
        next_action: 'wait',
        payment_instructions: {},
      },
    })
    expect(text).toContain('"fiat_amount":369550.0,')
    const left = Date.parse(body.response.expires_at) - Date.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(30 * 60_000)
    const record = await org.record(body.response.payment_id)
    expect(record).toMatchObject({
      direction: 'external',
      payment_method: 'crypto',
      status: 'pending',
      amount: 369_550,
      currency: 'UGX',
      target_amount: 99.999999,
      target_currency: 'USDC',
    })
    expect(await org.eventTypes(record.payment_id)).toEqual([
      'payment.processing',
      'transaction.updated',
      'transaction.updated',
    ])
  })

  it('by bank transfer the customer gets payment instructions', async () => {
    await org.configure('hybrid', 'NG')
    const answer = await org.ramp({
      ...onRampBody({
        mobile_money_details: undefined,
        country: 'NG',
        fiat_currency: 'NGN',
        fiat_amount: 153_025,
      }),
      wallet_address: wallet,
      client_rate: await org.rate('NGN', 'USDC'),
    })
    expect(answer.body.response).toMatchObject({
      next_action: 'make_transfer',
      payment_instructions: {
        type: 'bank_transfer',
        account_number: expect.stringMatching(/^\d+$/),
        bank_name: expect.stringMatching(/\w/),
        amount: 153_025,
        currency: 'NGN',
      },
    })
  })

  it.each([
    ['a beneficiary', async () => ({ beneficiary_id: await org.addBeneficiary(mobileMoneyBeneficiary()) })],
    [
      'mobile money details',
      () => ({
        mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
        beneficiary_name: 'Grace',
      }),
    ],
  ])('an off-ramp to %s: the direction is seen from who is to be paid', async (_what, payee) => {
    const { beneficiary_id: _none, ...body } = offRampBody('', { client_rate: offRate })
    const answer = await org.ramp({ ...body, ...(await payee()) })
    expect(answer.body.response).toMatchObject({
      direction: 'off_ramp',
      status: 'pending',
      crypto_amount: 100,
      next_action: 'make_transfer',
      payment_instructions: { type: 'crypto_transfer', wallet_address: expect.stringMatching(/^0x/) },
    })
  })

  it('a wallet address means an on-ramp, and mobile_money_details say where it is collected', async () => {
    const { direction: _none, ...body } = onRampBody({ wallet_address: wallet, client_rate: onRate })
    const { status, body: answer } = await org.ramp(body)
    expect(status).toBe(200)
    expect(answer.response).toMatchObject({ direction: 'on_ramp', status: 'pending', next_action: 'wait' })
    const record = await org.record(answer.response.payment_id)
    expect(record.mobile_money_details).toMatchObject({ provider: 'MTN', phone_number: '+256783456789' })
    expect(record.recipient_info).toEqual({ crypto_network: 'BASE', wallet_address: wallet })
    expect(record.payer_details.phone).toBe('+256783456789')
  })

  it.each([
    ['UG', 'UGX', 369_550, 'mobile_money'],
    ['GB', 'GBP', 80, 'bank_transfer'],
  ])(
    'a body with every field of the specification, in %s',
    async (country, fiat_currency, fiat_amount, by) => {
      await org.configure('hybrid', country)
      const answer = await org.ramp({
        fiat_currency,
        fiat_amount,
        client_rate: await org.rate(fiat_currency, 'USDC'),
        crypto_currency: 'USDC',
        crypto_network: 'BASE',
        country,
        user_id: (await org.call('GET', '/v1/users/me')).body.data.user_id,
        org_id: org.orgId,
        customer_type: 'business',
        business_id: 'BN-1',
        business_name: 'Kampala Traders',
        wallet_address: wallet,
        mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
        bank_details: { account_number: '0690000040', bank_code: '044', bank_name: 'Access Bank' },
        beneficiary_id: await org.addBeneficiary(mobileMoneyBeneficiary()),
        beneficiary_name: 'Ngozi Eze',
        destination: { accountNumber: '0690000041', bankCode: '044', bankName: 'Access Bank' },
        metadata: { order: 'A-1' },
      })
      expect([answer.status, answer.body.response?.direction]).toEqual([200, 'on_ramp'])
      // The bank is taken where the country has no mobile money.
      const { mobile_money_details } = await org.record(answer.body.response.payment_id)
      expect(Object.keys(mobile_money_details).length > 0).toBe(by === 'mobile_money')
    },
  )

  it('an off-ramp to a beneficiary may repeat the registered account', async () => {
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    const mobile_money_details = { provider: 'MTN', phone_number: '256783456789' }
    const answer = await org.ramp(offRampBody(payee, { client_rate: offRate, mobile_money_details }))
    expect(answer.body.response).toMatchObject({ direction: 'off_ramp', status: 'pending' })
  })

  it('an off-ramp to a bank account in `destination`, with its names in camel case', async () => {
    await org.configure('hybrid', 'NG')
    const { beneficiary_id: _none, ...body } = offRampBody('', { country: 'NG', fiat_currency: 'NGN' })
    const answer = await org.ramp({
      ...body,
      client_rate: await org.rate('USDC', 'NGN'),
      beneficiary_name: 'Ngozi Eze',
      destination: { accountNumber: '0690000040', bankCode: '044', bankName: 'Access Bank' },
    })
    expect(answer.body.response).toMatchObject({ direction: 'off_ramp', status: 'pending' })
  })

  it('each off-ramp has an address of its own', async () => {
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    const start = async () =>
      (await org.ramp(offRampBody(payee, { client_rate: offRate }))).body.response.payment_instructions
        .wallet_address
    expect(new Set([await start(), await start(), await start()]).size).toBe(3)
  })

  it.each([
    ['0.49 % above', 1.0049],
    ['0.49 % below', 0.9951],
  ])('a rate that has drifted by %s passes, in both directions', async (_how, factor) => {
    expect((await on({ client_rate: onRate * factor })).status).toBe(200)
    const payee = await org.addBeneficiary(mobileMoneyBeneficiary())
    const answer = await org.ramp(offRampBody(payee, { client_rate: offRate * factor }))
    expect(answer.status).toBe(200)
  })

  it('a rate above the market is replaced by the market’s; a lower one is applied', async () => {
    expect((await on({ client_rate: onRate * 1.004 })).body.response.crypto_amount).toBe(99.999999)
    expect((await on({ client_rate: onRate * 0.996 })).body.response.crypto_amount).toBeCloseTo(99.6, 4)
  })

  it('names of a network that others use are understood', async () => {
    expect((await on({ crypto_network: 'base' })).body.response.crypto_network).toBe('BASE')
  })
})

describe('401', () => {
  it('without a credential', async () => {
    const body = onRampBody({ wallet_address: wallet, client_rate: onRate })
    expect((await t.call('POST', '/v1/payments-init/ramp', { body })).status).toBe(401)
  })
})

describe('403', () => {
  it('a viewer, and another organisation’s or user’s id in the body', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const body = onRampBody({ wallet_address: wallet, client_rate: onRate })
    const answer = await t.call('POST', '/v1/payments-init/ramp', { as: viewer.token, body })
    expect(answer.status).toBe(403)
    expect((await on({ org_id: '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f' })).status).toBe(403)
    expect((await on({ user_id: 'somebody-else' })).status).toBe(403)
  })

  it('an address that is denied, however it is written; taken off the list it passes', async () => {
    const path = `/v1/screening/addresses/${wallet}`
    await org.call('PUT', path, { verdict: 'deny', reason: 'a test' })
    for (const address of [wallet, wallet.toLowerCase()]) {
      const { status, body } = await on({ wallet_address: address })
      expect([status, body.code]).toEqual([403, 'ADDRESS_REFUSED'])
    }
    const listed = (await org.call('GET', '/v1/screening/addresses')).body.data
    expect(listed).toMatchObject([{ address: wallet.toLowerCase(), verdict: 'deny', org_id: org.orgId }])
    expect((await org.call('DELETE', path)).status).toBe(204)
    expect((await on()).status).toBe(200)
    expect((await org.call('DELETE', path)).status).toBe(404)
  })

  it('what the operator denies everywhere is denied to everybody, whatever they allow; only they may', async () => {
    const path = '/v1/screening/addresses/0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
    const deny = { verdict: 'deny', reason: 'sanctioned', everywhere: true }
    expect((await org.call('PUT', path, deny)).status).toBe(403)
    await t.call('PUT', path, { as: t.seed.platformAdmin.api_key, body: deny })
    await org.call('PUT', path, { verdict: 'allow', reason: 'ours' })
    expect((await on({ wallet_address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' })).status).toBe(403)
  })
})

describe('404', () => {
  it('an asset for which there is no rate', async () => {
    t.simulator.setRates({ ETH: '0.000385' })
    const { status } = await on({ fiat_currency: 'ISK' })
    expect(status).toBe(404)
  })
})

describe('409', () => {
  it('a ramp cannot be canceled or refunded by hand', async () => {
    const { payment_id: id } = (await on()).body.response
    expect((await org.call('POST', `/v1/payments/${id}/cancel`)).status).toBe(409)
    expect((await org.call('POST', `/v1/payments/${id}/refund`, { reason: 'x' })).status).toBe(409)
  })
})

describe('422', () => {
  it('a country without a configuration for ramps, and a network on which the wallet holds nothing', async () => {
    const mobile_money_details = { provider: 'MPESA', phone_number: '254708663158' }
    const answers = [await on({ country: 'KE', mobile_money_details }), await on({ crypto_network: 'CELO' })]
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([422, 'ROUTING_CONFIG_NOT_FOUND'])
  })
})

describe('502', () => {
  it('every provider refuses: nothing was charged', async () => {
    for (const provider of ['pawapay', 'yellowcard'])
      t.simulator.setFaults(provider, [{ on: 'collect', fault: 'decline', times: 5 }])
    const { status, body } = await on()
    expect([status, body.code]).toEqual([502, 'ALL_PROVIDERS_FAILED'])
    for (const provider of ['pawapay', 'yellowcard']) t.simulator.setFaults(provider, [])
  })
})
