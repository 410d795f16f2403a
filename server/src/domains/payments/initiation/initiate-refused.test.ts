import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { Json } from '../../../../test/app/test-app.ts'
import {
  bankTransferPayin,
  cardPayin,
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

/** Nothing may be left of a refused request: no payment, no call to a provider. */
async function refuse(body: Json, rawBody?: string): Promise<Json> {
  const before = await traces()
  const answer = await org.initiate(body, rawBody === undefined ? {} : { rawBody })
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(answer.body).toMatchObject({ error: 'Bad Request', message: expect.any(String) })
  expect(answer.body).not.toHaveProperty('status')
  expect(await traces()).toEqual(before)
  return answer.body
}
async function traces(): Promise<unknown[]> {
  const payments = await t.owner.query('select count(*) from payments')
  return [payments.rows, t.simulator.log().length]
}
const pathsOf = (error: Json): string[] => (error.details ?? []).map(({ path }: { path: string }) => path)
const without = (body: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
const withAmounts = (digits: string, currency = 'NGN'): string =>
  JSON.stringify(bankTransferPayin({ currency, target_currency: currency })).replaceAll('1500.75', digits)

describe('400: required fields', () => {
  it.each(['amount', 'target_amount', 'currency', 'target_currency', 'payment_method', 'direction'])(
    '%s is required, and the error names it',
    async (name) => {
      expect(pathsOf(await refuse(without(mobileMoneyPayin(), name)))).toContain(name)
    },
  )

  it.each([
    ['payer_details', 'a payin', mobileMoneyPayin()],
    ['mobile_money_details', 'mobile money', mobileMoneyPayin()],
    ['card_details', 'a card', cardPayin()],
    ['bank_details', 'a bank transfer', bankTransferPayin()],
    ['bank_account', 'a bank transfer', bankTransferPayin()],
  ])('%s is required for %s, left out or null', async (name, _for, body) => {
    expect(pathsOf(await refuse(without(body, name)))).toContain(name)
    expect(pathsOf(await refuse({ ...body, [name]: null }))).toContain(name)
  })

  it('beneficiary_id is required for a payout', async () => {
    expect(pathsOf(await refuse({ ...mobileMoneyPayin(), direction: 'payout' }))).toContain('beneficiary_id')
  })

  it('org_rate_id is required when the currencies differ', async () => {
    expect(pathsOf(await refuse(mobileMoneyPayin({ target_currency: 'KES' })))).toContain('org_rate_id')
  })

  it.each([
    ['mobile_money_details', 'provider', mobileMoneyPayin()],
    ['mobile_money_details', 'phone_number', mobileMoneyPayin()],
    ['card_details', 'card_number', cardPayin()],
    ['card_details', 'expiry_month', cardPayin()],
    ['card_details', 'expiry_year', cardPayin()],
    ['bank_details', 'account_number', bankTransferPayin()],
    ['bank_account', 'account_number', bankTransferPayin()],
  ])('%s.%s is required', async (name, field, body) => {
    const error = await refuse({ ...body, [name]: without(body[name], field) })
    expect(pathsOf(error)).toContain(`${name}.${field}`)
  })

  it('a field that the only provider needs is named', async () => {
    const error = await refuse(bankTransferPayin({ payer_details: { name: 'Tunde' } }))
    expect(pathsOf(error)).toEqual(['payer_details.email'])
    expect(error.message).toContain('payer_details.email')
  })

  it('a body that is no object, or none at all', async () => {
    for (const rawBody of ['', '[]', '"text"', 'null', '{'] as const) await refuse(undefined, rawBody)
    expect((await org.initiate(mobileMoneyPayin())).status).toBe(200)
  })
})

describe('400: amounts', () => {
  it.each([
    ['more decimals than the currency has', '1500.355', 'NGN'],
    ['decimals where the currency has none', '1500.5', 'UGX'],
    ['a thousandth of a pound', '0.001', 'GBP'],
    ['sixteen digits', '12345678901234.56', 'NGN'],
    ['sixteen digits without decimals', '1234567890123456', 'NGN'],
    ['seventeen digits that a double would round', '0.10000000000000001', 'NGN'],
    ['zero', '0', 'NGN'],
    ['zero with decimals', '0.00', 'NGN'],
    ['less than zero', '-1500.35', 'NGN'],
    ['more than a double holds', '1e400', 'NGN'],
    ['more than any ledger holds', '1e40', 'NGN'],
    ['text', '"1500.35"', 'NGN'],
    ['the text NaN', '"NaN"', 'NGN'],
    ['the word NaN', 'NaN', 'NGN'],
    ['the word Infinity', 'Infinity', 'NGN'],
    ['null', 'null', 'NGN'],
    ['true', 'true', 'NGN'],
    ['a list', '[1500.35]', 'NGN'],
  ])('%s', async (_name, digits, currency) => {
    const error = await refuse(undefined, withAmounts(digits, currency))
    expect(error.message).not.toContain('1500.35')
  })

  it.each([1500.26, 1500.24, 1500])(
    'target_amount %d does not equal amount in one currency',
    async (target) => {
      const error = await refuse(bankTransferPayin({ target_amount: target }))
      expect(pathsOf(error)).toEqual(['target_amount'])
    },
  )

  it.each(['XYZ', 'ngn', '', 'NG', 'BTC', 'toString'])('%s is no currency', async (currency) => {
    const error = await refuse(bankTransferPayin({ currency, target_currency: currency }))
    expect(pathsOf(error)).toEqual(expect.arrayContaining(['currency', 'target_currency']))
  })
})

describe('400: values', () => {
  it.each([
    ['payment_method', 'cheque'],
    ['payment_method', 'crypto'],
    ['direction', 'inbound'],
    ['country', 'Nigeria'],
    ['country', 'ng'],
    ['org_rate_id', 7],
    ['beneficiary_id', '17'],
    ['org_id', 'mine'],
    ['client_reference', 'x'.repeat(256)],
    ['client_reference', ''],
    ['client_reference', 7],
    ['description', 'x'.repeat(501)],
    ['payer_details.email', 'ann at example.com'],
    ['payer_details.name', 'x'.repeat(201)],
    ['metadata', 'text'],
    ['metadata', [1]],
    ['metadata', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, index]))],
    ['mobile_money_details.phone_number', 'nobody'],
  ])('%s: %j', async (path, value) => {
    const [name = '', field] = path.split('.')
    const body = mobileMoneyPayin()
    const changed = field === undefined ? value : { ...body[name], [field]: value }
    const error = await refuse({ ...body, [name]: changed })
    expect(pathsOf(error).some((found) => found.startsWith(name))).toBe(true)
  })

  it('a phone number is checked for the country that the payment is routed by, named or not', async () => {
    const beneficiary_id = await org.addBeneficiary({
      account_type: 'mobile_money',
      country: 'UG',
      currency: 'UGX',
      fname: 'G',
      lname: 'A',
      momo_details: { provider: 'MTN', phone_number: '256783456789' },
    })
    const mobile_money_details = { provider: 'MTN', phone_number: 'nobody' }
    const body = without(mobileMoneyPayin({ beneficiary_id, mobile_money_details }), 'country')
    expect((await refuse(body)).message).toContain('phone_number')
  })

  it.each([
    ['card_number', '4242424242424241', 'a wrong check digit'],
    ['card_number', '424242424242', 'twelve digits'],
    ['card_number', '42424242424242424242', 'twenty digits'],
    ['card_number', '4242 4242 4242 4242', 'spaces'],
    ['expiry_month', '13', 'a thirteenth month'],
    ['expiry_month', '00', 'a month before the first'],
    ['expiry_year', '203', 'a year of three digits'],
    ['cvv', '12', 'two digits'],
    ['cvv', '12345', 'five digits'],
  ])('card_details.%s %s: %s, and the answer repeats none of the card', async (field, value) => {
    const card_details = { ...cardPayin().card_details, [field]: value }
    const error = await refuse(cardPayin({ card_details }))
    expect([...new Set(pathsOf(error))]).toEqual([`card_details.${field}`])
    expect(JSON.stringify(error)).not.toContain(card_details.card_number)
  })

  it('a card cannot be paid out to', async () => {
    const beneficiary_id = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
    const error = await refuse(cardPayin({ direction: 'payout', beneficiary_id }))
    expect(pathsOf(error)).toContain('payment_method')
  })

  it('a network that the country does not have; the answer lists those that it has', async () => {
    const mobile_money_details = { provider: 'WAVE', phone_number: '256783456789' }
    const error = await refuse(mobileMoneyPayin({ mobile_money_details }))
    expect(pathsOf(error)).toEqual(['mobile_money_details.provider'])
    expect(error.message).toMatch(/must be one of .*MTN/)
  })

  it('a number in the metadata that JSON could not carry back', async () => {
    const rawBody = JSON.stringify(mobileMoneyPayin({ metadata: { id: 'X' } })).replace(
      '"X"',
      '12345678901234567890',
    )
    expect(pathsOf(await refuse(undefined, rawBody))).toEqual(['metadata'])
  })
})

describe('401', () => {
  it('without a credential, in the error body of this endpoint', async () => {
    const answer = await t.call('POST', '/v1/payments-init/initiate', { body: mobileMoneyPayin() })
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.body).toMatchObject({ error: 'Unauthorized', message: expect.any(String) })
  })
})

describe('403', () => {
  it('a viewer may read but not pay', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    const answer = await org.initiate(mobileMoneyPayin(), { as: viewer.token })
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
    expect(answer.body).toMatchObject({ error: 'Forbidden', message: expect.any(String) })
  })

  it.each(['org_id', 'user_id'])('another’s %s in the body', async (name) => {
    const before = await traces()
    const stranger = await openPayments(t)
    const value = name === 'org_id' ? stranger.orgId : t.seed.orgs[0]!.members[0]!.user_id
    const answer = await org.initiate(mobileMoneyPayin({ [name]: value }))
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
    expect(answer.body.message).toContain(name)
    expect(await traces()).toEqual(before)
  })
})
