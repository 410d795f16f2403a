import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  bankTransferPayin,
  cardPayin,
  ghanaianPayin,
  mobileMoneyPayin,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
})

const text = expect.any(String)
const number = expect.any(Number)
const object = expect.toSatisfy(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const orNull = (kind: 'string' | 'number'): unknown =>
  expect.toSatisfy((value) => value === null || typeof value === kind)
const oneOf = (...values: unknown[]): unknown => expect.toSatisfy((value) => values.includes(value))

/** Section 2.5 of the spec, row by row. */
const specRecord = {
  payment_id: text,
  amount: number,
  currency: text,
  user_id: text,
  status: text,
  direction: oneOf('inbound', 'outbound', 'external'),
  payment_method: oneOf('bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'),
  org_id: orNull('string'),
  beneficiary_id: text,
  transaction_id: orNull('string'),
  target_amount: orNull('number'),
  target_currency: orNull('string'),
  from_currency: orNull('string'),
  region_id: orNull('string'),
  payment_path_method: oneOf('direct', 'intermediary', 'third_party', null),
  bank_account: object,
  card_details: object,
  mobile_money_details: object,
  payer_details: object,
  recipient_info: object,
  metadata: object,
  user_metadata: object,
  webhook_metadata: object,
  fee_ids: expect.any(Array),
  total_fees: orNull('number'),
  provider: orNull('string'),
  provider_payment_id: orNull('string'),
  provider_status: orNull('string'),
  provider_data: object,
  payout_initiated: expect.any(Boolean),
  payout_id: orNull('string'),
  instructions: orNull('string'),
  comments: orNull('string'),
  created_at: moment,
  updated_at: moment,
}

const path = (id: string): string => `/v1/payments/transaction/${id}`
const textOf = async (id: string): Promise<string> => (await org.call('GET', path(id))).text

describe('200', () => {
  const bodies: [string, () => Promise<Json>][] = [
    ['mobile money payin', async () => mobileMoneyPayin()],
    ['card payin', async () => cardPayin()],
    ['bank transfer payin', async () => bankTransferPayin()],
    ['bank payout', async () => bankPayout(await org.addBeneficiary(bankBeneficiary()))],
  ]
  it.each(bodies)('a %s: every field of the spec is there with its type', async (_name, body) => {
    const id = await org.start(await body())
    expect(await org.record(id)).toMatchObject(specRecord)
    await t.simulator.settle()
    expect(await org.record(id)).toMatchObject(specRecord)
  })

  it('a payin holds what was asked for, and where it stands at the provider', async () => {
    const metadata = { order: 7 }
    const id = await org.start(mobileMoneyPayin({ metadata, client_reference: 'A7', description: 'Seven' }))
    await t.simulator.settle()
    const record = await org.record(id)
    expect(record).toMatchObject({
      payment_id: id,
      transaction_id: id,
      org_id: org.orgId,
      status: 'completed',
      direction: 'inbound',
      payment_method: 'mobile_money',
      amount: 5000,
      currency: 'UGX',
      from_currency: 'UGX',
      target_amount: 5000,
      target_currency: 'UGX',
      region_id: 'UG',
      payment_path_method: 'direct',
      mobile_money_details: { provider: 'MTN', phone_number: '+256783456789' },
      payer_details: { name: 'Grace', email: 'grace@example.com', phone: '256783456789' },
      metadata,
      user_metadata: metadata,
      provider: 'pawapay',
      provider_status: 'COMPLETED',
      provider_payment_id: t.simulator.log().at(-1)?.providerRef,
      payout_initiated: false,
      payout_id: null,
      client_reference: 'A7',
      description: 'Seven',
      failure: null,
    })
    // The installation's account carries it.
    expect(record.provider_data).toEqual({ reference: null, attempts: 1 })
    expect(new Date(record.updated_at).getTime()).toBeGreaterThan(new Date(record.created_at).getTime())
  })

  it('a payout is outbound, says whom it is for, and that it was handed on', async () => {
    const beneficiary_id = await org.addBeneficiary(bankBeneficiary())
    const id = await org.start(bankPayout(beneficiary_id))
    expect(await org.record(id)).toMatchObject({
      direction: 'outbound',
      beneficiary_id,
      recipient_info: { name: 'Ngozi Eze' },
      payout_initiated: true,
      payout_id: id,
    })
  })

  it('of a card it holds brand, first six, last four and expiry, and nothing else', async () => {
    const card_details = { ...cardPayin().card_details, card_holder_name: 'Ann Holder' }
    const id = await org.start(cardPayin({ card_details }))
    expect((await org.record(id)).card_details).toEqual({
      brand: 'visa',
      first6: '424242',
      last4: '4242',
      expiry_month: '12',
      expiry_year: '2031',
    })
    expect(await textOf(id)).not.toMatch(/4242424242|Ann Holder|cvv/)
  })

  it('while the customer has to act, the instructions say what to do', async () => {
    const card_details = { ...cardPayin().card_details, card_number: '4000000000003220' }
    const instructions = async (body: Json): Promise<string> =>
      (await org.record(await org.start(body))).instructions
    expect(await instructions(cardPayin({ card_details }))).toMatch(/^Open http.*3d_secure/)
    expect(await instructions(bankTransferPayin())).toMatch(/account_number: \d{10}/)
    expect(await instructions(ghanaianPayin({ amount: 10.15, target_amount: 10.15 }))).toContain('voucher')
    expect((await org.record(await org.start(cardPayin()))).instructions).toBeNull()
  })

  it('a failure has our message and a code', async () => {
    const card_details = { ...cardPayin().card_details, card_number: '4000000000009995' }
    const { failure } = await org.record(await org.start(cardPayin({ card_details })))
    expect(failure).toEqual({
      code: 'INSUFFICIENT_FUNDS',
      message: 'The account does not have enough funds.',
    })
  })

  it('money keeps its fractional part and every digit', async () => {
    const of = async (digits: string, change: object): Promise<string> => {
      const rawBody = JSON.stringify(bankTransferPayin(change)).replaceAll('1500.75', digits)
      const answer = await org.initiate(undefined, { rawBody })
      expect(answer.status).toBe(200)
      return answer.text + (await textOf(answer.body.response.payment_id))
    }
    const config = { provider: 'manual', payment_method: 'bank_transfer', direction: 'inbound' }
    await org.call('PUT', '/v1/payments/provider-credentials/manual', { credentials: {} })
    for (const country of ['KW', 'JP'])
      await org.call('POST', '/v1/payments/provider-configs', { ...config, country })
    const nigerian = await of('1500', {})
    expect(nigerian).toContain('"payment_data":{"amount":1500.00,"currency":"NGN","target_amount":1500.00,')
    expect(nigerian).toContain('"amount":1500.00,"currency":"NGN","user_id"')
    expect(nigerian).toContain('"refunded_amount":0.0')
    expect(await of('0.07', {})).toContain('"amount":0.07,')
    expect(await of('9999999999999.99', {})).toContain('"amount":9999999999999.99,')
    expect(await of('12.345', { country: 'KW', currency: 'KWD', target_currency: 'KWD' })).toContain(
      '"amount":12.345,',
    )
    expect(await of('700', { country: 'JP', currency: 'JPY', target_currency: 'JPY' })).toContain(
      '"amount":700.0,',
    )
  })

  it('GET /payments/{payment_id} answers the same', async () => {
    const id = await org.start(cardPayin())
    const [byTransaction, byPayment] = [
      await org.call('GET', path(id)),
      await org.call('GET', `/v1/payments/${id}`),
    ]
    expect(byPayment.status).toBe(200)
    expect(byPayment.text).toBe(byTransaction.text)
  })

  it('a viewer may read it', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const id = await org.start(cardPayin())
    expect((await t.call('GET', path(id), { as: viewer.token })).status).toBe(200)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    const id = await org.start(cardPayin())
    expect((await t.call('GET', path(id))).status).toBe(401)
  })
})

describe('404', () => {
  it.each(['abc', '17', '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0'])('%s is no id', async (id) => {
    for (const at of [path(id), `/v1/payments/${id}`]) {
      const answer = await org.call('GET', at)
      expect([answer.status, answer.body.status]).toEqual([404, 'error'])
    }
  })

  it('an unknown id and one of another organisation get the same answer', async () => {
    const stranger = await openPayments(t)
    const theirs = await stranger.start(cardPayin())
    for (const of of [path, (id: string) => `/v1/payments/${id}`]) {
      const [unknown, foreign] = [
        await org.call('GET', of('0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f')),
        await org.call('GET', of(theirs)),
      ]
      expect([unknown.status, foreign.status]).toEqual([404, 404])
      expect(foreign.body.message).toBe(unknown.body.message)
    }
    expect((await stranger.record(theirs)).payment_id).toBe(theirs)
  })
})
