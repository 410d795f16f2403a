import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { Attempt, CollectDetails, Connector, Payee } from '../kit/connector.ts'
import { createAgent, createHttpClient, type HttpCall } from '../kit/http-client.ts'
import { paystackConnector } from './connector.ts'

const now = new Date('2030-01-01T00:00:00Z')
const agent = createAgent()
const calls: HttpCall[] = []
const patientMs = 20_000
const impatientMs = 1_500
let timeoutMs = patientMs
let simulator: Simulator
let connector: Connector

beforeAll(async () => {
  simulator = await startSimulator({ delayMs: 86_400_000 })
  connector = connectorWith({})
})
afterEach(() => {
  simulator.setFaults('paystack', [])
  calls.length = 0
  timeoutMs = patientMs
})
afterAll(async () => {
  await simulator.stop()
  await agent.destroy()
})

function connectorWith(more: object): Connector {
  const http = createHttpClient(agent)
  const baseUrl = `${simulator.providerUrl('paystack')}/`
  return paystackConnector.create({
    credentials: paystackConnector.credentials.parse({
      baseUrl,
      secretKey: 'sk_test_switchyard_sandbox',
      ...more,
    }),
    http: (call) => {
      calls.push(call)
      return http({ ...call, timeoutMs })
    },
    clock: { now: () => now },
    webhookUrl: 'https://api.test/hook',
  })
}

const attemptOf = (more: Partial<Attempt> = {}): Attempt => ({
  reference: randomUUID(),
  providerRef: null,
  direction: 'payin',
  method: 'mobile_money',
  country: 'GH',
  amount: { amountMinor: 15_000n, currency: 'GHS' },
  createdAt: new Date(),
  ...more,
})
const naira = { amountMinor: 15_000n, currency: 'NGN' }
const detailsOf = (network = 'MTN', phoneNumber = '+233551234987'): CollectDetails => ({
  payer: { email: 'ama@example.com' },
  mobileMoney: { network, phoneNumber },
  returnUrl: 'https://shop.test/back',
})
const payee: Payee = { name: 'Ada Obi', bankAccount: { accountNumber: '0123456789', bankCode: '058' } }
const bodyOf = (index: number): unknown => JSON.parse(calls[index]?.body ?? 'null')
const pathsOf = () => calls.map(({ url }) => new URL(url).pathname.replace('/paystack', ''))

describe('collect', () => {
  test('no request contains a card’s number, expiry or security code', async () => {
    const card = {
      number: '4084084084084081',
      expiryMonth: '12',
      expiryYear: '2031',
      cvv: '408',
      holderName: 'A B',
    }
    const attempt = attemptOf({ method: 'card', country: 'NG', amount: naira })
    await connector.collect!(attempt, { ...detailsOf(), card })
    expect(bodyOf(0)).toEqual({
      email: 'ama@example.com',
      amount: 15_000,
      currency: 'NGN',
      reference: attempt.reference,
      channels: ['card'],
      callback_url: 'https://shop.test/back',
    })
    expect(JSON.stringify(calls)).not.toMatch(/4084084084084081|2031|"408"/)
  })

  test.each([
    ['GH', 'GHS', 'MTN', '+233 55 123 4987', { phone: '0551234987', provider: 'mtn' }],
    ['GH', 'GHS', 'ATL', '233271234567', { phone: '0271234567', provider: 'atl' }],
    ['KE', 'KES', 'MPESA', '0710000000', { phone: '+254710000000', provider: 'mpesa' }],
    ['KE', 'KES', 'MPESA', '00254710000000', { phone: '+254710000000', provider: 'mpesa' }],
  ])('in %s the phone number and network have Paystack’s format', async (...row) => {
    const [country, currency, network, phoneNumber, mobileMoney] = row
    const attempt = attemptOf({ country, amount: { amountMinor: 15_000n, currency } })
    await connector.collect!(attempt, detailsOf(network, phoneNumber))
    expect(bodyOf(0)).toMatchObject({ mobile_money: mobileMoney })
  })

  test('unconfirmed facts can be configured', async () => {
    const other = connectorWith({
      chargeProviders: { MPESA: 'mpesa_offline' },
      nationalPhoneCountries: ['KE'],
      recipientTypes: { KE: 'nuban' },
      notFoundFinalAfterMs: 3_600_000,
    })
    const amount = { amountMinor: 15_000n, currency: 'KES' }
    await other.collect!(attemptOf({ country: 'KE', amount }), detailsOf('MPESA', '+254710000000'))
    const out = attemptOf({ direction: 'payout', method: 'bank_transfer', country: 'KE', amount })
    await other.payout!(out, payee)
    expect(bodyOf(0)).toMatchObject({ mobile_money: { phone: '0710000000', provider: 'mpesa_offline' } })
    expect(bodyOf(1)).toMatchObject({ type: 'nuban' })
    expect(other.notFoundFinalAfterMs).toBe(3_600_000)
    expect(connector.notFoundFinalAfterMs).toBe(900_000)
  })

  test('a bank transfer has an account that expires; a wrong amount leaves it pending', async () => {
    const attempt = attemptOf({ method: 'bank_transfer', country: 'NG', amount: naira })
    const outcome = await connector.collect!(attempt, detailsOf())
    expect(outcome).toMatchObject({
      state: { state: 'pending' },
      nextAction: {
        type: 'bank_transfer',
        instructions: {
          account_name: 'PAYSTACK CHECKOUT',
          bank_name: 'Test Bank',
          expires_at: '2030-01-01T01:00:00.000Z',
        },
      },
    })
    const pay = (amount: number) =>
      fetch(`${simulator.providerUrl('paystack')}/_bank/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reference: attempt.reference, amount }),
      })
    await pay(14_000)
    const inquiry = await connector.inquire(attempt)
    expect(inquiry).toMatchObject({ state: { state: 'pending' } })
    // An inquiry returns the instructions of a lost answer.
    expect(inquiry).toMatchObject({ nextAction: { type: 'bank_transfer' } })
    await pay(15_000)
    expect(await connector.inquire(attempt)).toMatchObject({ state: { state: 'completed' } })
  })
})

describe('payout', () => {
  const attempt = () =>
    attemptOf({ direction: 'payout', method: 'bank_transfer', country: 'NG', amount: naira })

  test.each([
    'timeout_before',
    'timeout_after',
    'error_500',
    'cut_answer',
    'malformed_200',
    'rate_limit',
    'down',
  ] as const)('without a recipient (%s) the outcome is not_sent', async (fault) => {
    simulator.setFaults('paystack', [{ on: 'prepare', fault }])
    timeoutMs = impatientMs
    const outcome = await connector.payout!(attempt(), payee)
    expect(outcome).toEqual({ kind: 'not_sent', reason: expect.stringMatching(/./) })
    expect(pathsOf()).toEqual(['/transferrecipient'])
  })

  test('a transfer that needs the merchant’s password is pending without a next action', async () => {
    const sent = { ...attempt(), amount: { amountMinor: 15_015n, currency: 'NGN' } }
    const outcome = await connector.payout!(sent, payee)
    expect(outcome).toMatchObject({ kind: 'accepted', providerStatus: 'otp', state: { state: 'pending' } })
    expect(outcome).toMatchObject({ nextAction: undefined })
  })

  test('a transfer that is reversed after its success has failed', async () => {
    const sent = { ...attempt(), amount: { amountMinor: 15_025n, currency: 'NGN' } }
    await connector.payout!(sent, payee)
    await simulator.settle({ reference: sent.reference, all: true })
    expect(await connector.inquire(sent)).toMatchObject({
      providerStatus: 'reversed',
      state: { state: 'failed', failure: { code: 'REVERSED' } },
    })
  })
})

describe('inquire', () => {
  test('"not found" of the charge lookup counts only if verify confirms it', async () => {
    expect(await connector.inquire(attemptOf())).toEqual({ kind: 'not_found' })
    expect(pathsOf().map((path) => path.replace(/\/[0-9a-f-]{36}$/, ''))).toEqual([
      '/charge',
      '/transaction/verify',
    ])
  })

  test('an unpaid card page is pending, not failed', async () => {
    const attempt = attemptOf({ method: 'card', country: 'NG', amount: naira })
    await connector.collect!(attempt, detailsOf())
    expect(await connector.inquire(attempt)).toMatchObject({
      providerStatus: 'abandoned',
      state: { state: 'pending' },
    })
  })
})

describe('act', () => {
  test('a password cannot be resent, and an unexpected password is not a wrong one', async () => {
    const attempt = attemptOf()
    await connector.collect!(attempt, detailsOf())
    expect(await connector.act!(attempt, { type: 'resend_otp' })).toMatchObject({ kind: 'not_sent' })
    expect(await connector.act!(attempt, { type: 'submit_otp', otp: '123456' })).toMatchObject({
      kind: 'unknown',
    })
  })

  test('the third wrong password ends the charge', async () => {
    const attempt = attemptOf()
    await connector.collect!(attempt, detailsOf('VOD', '0201234567'))
    const submit = () => connector.act!(attempt, { type: 'submit_otp', otp: '000000' })
    expect(await submit()).toEqual({ kind: 'wrong_otp' })
    expect(await submit()).toEqual({ kind: 'wrong_otp' })
    expect(await submit()).toMatchObject({
      kind: 'declined',
      failure: { code: 'AUTHENTICATION_FAILED' },
      fallback: false,
    })
  })

  test.each(['timeout_after', 'error_500', 'cut_answer', 'malformed_200', 'rate_limit'] as const)(
    '%s: unknown, so that the payment is polled',
    async (fault) => {
      const attempt = attemptOf()
      await connector.collect!(attempt, detailsOf('VOD', '0201234567'))
      simulator.setFaults('paystack', [{ on: 'act', fault }])
      timeoutMs = impatientMs
      expect(await connector.act!(attempt, { type: 'submit_otp', otp: '123456' })).toMatchObject({
        kind: 'unknown',
      })
    },
  )
})

describe('missing fields', () => {
  const out = { direction: 'payout', country: 'NG' } as const

  test.each([
    [attemptOf({ method: 'card' }), { payer: {}, returnUrl: '' }, ['payer_details.email']],
    [
      attemptOf(),
      { payer: {}, returnUrl: '' },
      ['payer_details.email', 'mobile_money_details.provider', 'mobile_money_details.phone_number'],
    ],
    [attemptOf({ method: 'bank_transfer' }), detailsOf(), []],
    [
      attemptOf({ ...out, method: 'bank_transfer' }),
      { name: 'A' },
      ['bank_account.account_number', 'bank_account.bank_code'],
    ],
    [
      attemptOf({ ...out, method: 'mobile_money' }),
      { name: 'A' },
      ['mobile_money_details.provider', 'mobile_money_details.phone_number'],
    ],
  ])('have the names of the API', (attempt, details, fields) => {
    expect(connector.missingFields!(attempt, details)).toEqual(fields)
  })
})
