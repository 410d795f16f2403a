import fc from 'fast-check'
import type { Json } from '../../app/test-app.ts'

/** Request bodies made from the field tables of section 2.1 alone: every optional field is left out, null or set. */
export interface InitiationFacts {
  orgId: string
  userId: string
  bankBeneficiary: string
  momoBeneficiary: string
  /** From GET /organizations/admin/exchange-rate, dollars to naira. */
  quote: { org_rate_id: string; rate: number }
}

const absent = fc.constant(undefined)
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(absent, fc.constant(null), value)
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.oneof(absent, value)
const words = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 -]{0,30}[A-Za-z0-9]$/)
const cents = fc.integer({ min: 500, max: 20_000 }).map((minor) => minor / 100)

const card = fc.record({
  card_number: fc.constantFrom('4242424242424242', '5555555555554444'),
  expiry_month: fc.constantFrom('01', '12'),
  expiry_year: fc.constantFrom('2031', '35'),
  cvv: fc.constant('123'),
  card_holder_name: optional(words),
})
const payer = fc.record({
  name: words,
  email: fc.constantFrom('ann@example.com', 'b.c+d@example.org'),
  phone: optional(fc.constant('256783456789')),
})
const momo = fc.record({
  provider: fc.constantFrom('MTN', 'mtn', 'Mtn'),
  phone_number: fc.constantFrom('256783456789', '+256783456789'),
})
const source = fc.record({
  account_name: words,
  account_number: fc.constant('0690000031'),
  bank_name: words,
  country: fc.constant('NG'),
  bank_code: fc.constantFrom('044', null),
})
const target = fc.record({
  account_number: fc.constant('0690000049'),
  bank_code: fc.constantFrom('044', null),
  bank_name: words,
})

const same = (currency: string, amounts: fc.Arbitrary<number>) =>
  amounts.map((amount) => ({ amount, target_amount: amount, currency, target_currency: currency }))

const shillings = same('UGX', fc.integer({ min: 1_000, max: 90_000 }))
const naira = same('NGN', cents)
const pounds = same('GBP', cents)

/** The flows of the table: a method, a direction, and what each requires. */
const flows = (facts: InitiationFacts): readonly [string, fc.Arbitrary<Json>][] => {
  const dollars = cents.map((amount) => ({
    amount,
    // What a client computes: the product of two floats.
    target_amount: amount * facts.quote.rate,
    currency: 'USD',
    target_currency: 'NGN',
    org_rate_id: facts.quote.org_rate_id,
  }))
  const flow = (
    method: string,
    direction: string,
    amounts: fc.Arbitrary<object>,
    details: Record<string, fc.Arbitrary<unknown>>,
  ): fc.Arbitrary<Json> =>
    fc
      .tuple(amounts, fc.record(details))
      .map(([money, more]) => ({ payment_method: method, direction, ...money, ...more }))
  const to = fc.constant(facts.bankBeneficiary)
  const toPhone = fc.constant(facts.momoBeneficiary)
  const country = (code: string) => fc.constant(code)
  return [
    [
      'mobile money payin',
      flow('mobile_money', 'payin', shillings, {
        country: country('UG'),
        payer_details: payer,
        mobile_money_details: momo,
      }),
    ],
    [
      'card payin',
      flow('card', 'payin', pounds, { country: country('GB'), payer_details: payer, card_details: card }),
    ],
    [
      'card payin across currencies',
      flow('card', 'payin', dollars, { country: country('GB'), payer_details: payer, card_details: card }),
    ],
    [
      'bank payin',
      flow('bank_transfer', 'payin', naira, {
        country: country('NG'),
        payer_details: payer,
        bank_details: source,
        bank_account: target,
      }),
    ],
    [
      'mobile money payout',
      flow('mobile_money', 'payout', shillings, {
        country: optional(country('UG')),
        beneficiary_id: toPhone,
        mobile_money_details: nullable(momo),
      }),
    ],
    [
      'bank payout',
      flow('bank_transfer', 'payout', naira, {
        country: optional(country('NG')),
        beneficiary_id: to,
        bank_details: nullable(source),
        bank_account: nullable(target),
      }),
    ],
  ]
}

const others = (facts: InitiationFacts) =>
  fc.record({
    user_id: optional(fc.constant(facts.userId)),
    org_id: optional(fc.constant(facts.orgId)),
    client_reference: nullable(words),
    description: nullable(words),
    return_url: nullable(fc.constant('https://shop.example/done?order=7')),
    metadata: nullable(fc.dictionary(fc.constantFrom('order', 'shop'), fc.oneof(words, fc.boolean()))),
  })

const detailFields = ['org_rate_id', 'mobile_money_details', 'card_details', 'bank_details', 'bank_account']

/** `count` bodies of each flow, the same in every run. */
export const initiationBodies = (facts: InitiationFacts, count: number): [string, Json][] =>
  flows(facts).flatMap(([name, arbitrary]) => {
    const unused = fc.record(
      Object.fromEntries(detailFields.map((field) => [field, fc.constantFrom(undefined, null)])),
    )
    const bodies = fc
      .tuple(unused, others(facts), arbitrary)
      .map((parts): Json => Object.assign({}, ...parts))
    return fc.sample(bodies, { seed: 21, numRuns: count }).map((body): [string, Json] => [name, body])
  })

/** A ramp with a random part of the fields of section 2.3. */
export const rampBodies = (
  facts: { orgId: string; userId: string; beneficiary: string; onRate: number; offRate: number },
  count: number,
): Json[] => {
  const common = {
    fiat_currency: fc.constant('UGX'),
    fiat_amount: fc.integer({ min: 100_000, max: 400_000 }),
    crypto_currency: fc.constant('USDC'),
    crypto_network: fc.constant('BASE'),
    country: fc.constant('UG'),
    user_id: optional(fc.constant(facts.userId)),
    org_id: optional(fc.constant(facts.orgId)),
    customer_type: optional(fc.constantFrom('retail', 'business')),
    business_id: fc.constant('BN-1'),
    business_name: fc.constant('Kampala Traders'),
    beneficiary_name: fc.constant('Grace Akello'),
    metadata: optional(fc.constant({ order: 'A-1' })),
  }
  const phone = fc.constant({ provider: 'MTN', phone_number: '256783456789' })
  const bank = fc.constant({ account_number: '0690000040', bank_code: '044', bank_name: 'Access Bank' })
  const on = fc.record({
    ...common,
    client_rate: fc.constant(facts.onRate),
    wallet_address: fc.constant('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'),
    mobile_money_details: phone,
    bank_details: optional(bank),
    beneficiary_id: optional(fc.constant(facts.beneficiary)),
    destination: optional(
      fc.constant({ accountNumber: '0690000040', bankCode: '044', bankName: 'Access Bank' }),
    ),
  })
  const off = fc.record({
    ...common,
    client_rate: fc.constant(facts.offRate),
    beneficiary_id: fc.constant(facts.beneficiary),
    mobile_money_details: optional(phone),
  })
  return [...fc.sample(on, { seed: 21, numRuns: count }), ...fc.sample(off, { seed: 21, numRuns: count })]
}
