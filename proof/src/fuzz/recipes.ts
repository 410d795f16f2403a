import fc from 'fast-check'
import { canaryPlace, idMark } from './schema-values.ts'

/** The last two digits are the simulator's sentinel: paid, declined, slow, silent and so on. */
const sentinel = fc.integer({ min: 10, max: 60 }).map(String)
const amount = fc.oneof(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 100, max: 900_000 }))

const corridor = fc.constantFrom(
  { country: 'UG', currency: 'UGX', provider: 'MTN', prefix: '2567720001' },
  { country: 'KE', currency: 'KES', provider: 'MPESA', prefix: '2547080001' },
  { country: 'GH', currency: 'GHS', provider: 'MTN', prefix: '2332412345' },
)

const terms = (currency: string, country: string, value: number): object => ({
  amount: value,
  target_amount: value,
  currency,
  target_currency: currency,
  country,
  client_reference: `${canaryPlace} order`,
})

const mobileMoney = fc
  .record({ corridor, amount, sentinel })
  .map(({ corridor: { country, currency, provider, prefix }, ...rest }) => ({
    ...terms(currency, country, rest.amount),
    payment_method: 'mobile_money',
    mobile_money_details: { provider, phone_number: prefix + rest.sentinel },
  }))

const card = fc
  .record({
    amount,
    number: fc.constantFrom('4242424242424242', '4000000000009995', '4000002760003184', '4084084084084081'),
    place: fc.constantFrom(['GB', 'GBP'], ['NG', 'NGN'], ['KE', 'KES']),
  })
  .map(({ amount: value, number, place: [country = '', currency = ''] }) => ({
    ...terms(currency, country, value),
    payment_method: 'card',
    card_details: { card_number: number, expiry_month: '12', expiry_year: '2031', cvv: '123' },
  }))

const account = fc
  .record({ sentinel })
  .map((one) => ({ account_number: `06900000${one.sentinel}`, bank_code: '044', bank_name: 'Access Bank' }))
const bank = fc
  .record({ account, amount, place: fc.constantFrom(['GB', 'GBP'], ['NG', 'NGN'], ['UG', 'UGX']) })
  .map((one) => ({
    ...terms(one.place[1] ?? '', one.place[0] ?? '', one.amount),
    payment_method: 'bank_transfer',
    bank_details: { ...one.account, account_name: `${canaryPlace} Ltd`, country: one.place[0] },
    bank_account: one.account,
  }))

const payer = { name: `${canaryPlace} payer`, email: 'payer@example.com', phone: '256772000130' }
const payin = fc
  .oneof(mobileMoney, card, bank)
  .map((body) => ({ ...body, direction: 'payin', payer_details: payer }))
const payout = fc
  .record({ body: fc.oneof(mobileMoney, bank), beneficiary_id: idMark('beneficiary_id') })
  .map(({ body, beneficiary_id }) => ({ ...body, direction: 'payout', beneficiary_id }))
const converted = fc
  .record({ body: payin, org_rate_id: idMark('org_rate_id') })
  .map(({ body, org_rate_id }) => ({
    ...body,
    target_currency: 'GBP',
    org_rate_id,
  }))

/** Close to the simulator's rates, slightly to the customer's disadvantage. */
const rampPlace = fc.constantFrom(
  { country: 'NG', fiat_currency: 'NGN', onRate: 0.000653, offRate: 1_530 },
  { country: 'UG', fiat_currency: 'UGX', onRate: 0.00027, offRate: 3_695 },
)
const rampTerms = {
  crypto_currency: 'USDC',
  crypto_network: 'BASE',
  metadata: { note: `${canaryPlace} ramp` },
}
const onRamp = fc
  .record({
    place: rampPlace,
    fiat_amount: amount,
    sentinel,
    wallet_address: fc.constantFrom(
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0x000000000000000000000000000000000000dead',
      '0x000000000000000000000000000000000000beef',
    ),
  })
  .map(({ place: { onRate, offRate: _offRate, ...place }, sentinel: digits, ...rest }) => ({
    ...rampTerms,
    ...place,
    ...rest,
    direction: 'on_ramp',
    client_rate: onRate,
    ...(place.country === 'UG' && {
      mobile_money_details: { provider: 'MTN', phone_number: `2567720001${digits}` },
    }),
  }))
const offRamp = fc
  .record({ place: rampPlace, fiat_amount: amount, beneficiary_id: idMark('beneficiary_id') })
  .map(({ place: { offRate, onRate: _onRate, ...place }, ...rest }) => ({
    ...rampTerms,
    ...place,
    ...rest,
    direction: 'off_ramp',
    client_rate: offRate,
  }))

const beneficiary = fc.oneof(
  fc.record({ corridor, sentinel }).map(({ corridor: { country, currency, provider, prefix }, ...rest }) => ({
    account_type: 'mobile_money',
    country,
    currency,
    fname: 'Grace',
    lname: `${canaryPlace} Akello`,
    momo_details: { provider, phone_number: prefix + rest.sentinel },
  })),
  account.map((bank_details) => ({
    account_type: 'bank',
    country: 'NG',
    currency: 'NGN',
    fname: 'Ngozi',
    lname: `${canaryPlace} Eze`,
    bank_details,
  })),
)

const report = fc.oneof(
  fc.record({ depositId: idMark('payment_id'), status: fc.constantFrom('COMPLETED', 'FAILED', 'ODD') }),
  fc.record({
    event: fc.constantFrom('charge.success', 'transfer.failed', 'odd'),
    data: fc.record({ reference: idMark('payment_id') }),
  }),
  fc.record({
    id: fc.constant('evt_1'),
    type: fc.constantFrom('payment_intent.succeeded', 'odd'),
    data: fc.object({ maxDepth: 3 }),
  }),
)

/** Bodies with rules that a schema cannot express. Random ones would rarely pass validation. */
export const recipes: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'POST /v1/payments-init/initiate': fc.oneof(
    { weight: 5, arbitrary: payin },
    { weight: 3, arbitrary: payout },
    { weight: 1, arbitrary: converted },
  ),
  'POST /v1/payments-init/ramp': fc.oneof(onRamp, offRamp),
  'POST /v1/payments-init/{payment_id}/action': fc.constantFrom(
    { action: 'submit_otp', otp: '123456' },
    { action: 'resend_otp' },
    { action: 'cancel' },
  ),
  'POST /v1/beneficiaries': beneficiary,
  'POST /v1/providers/{provider}/webhooks/{token}': report,
}

const paymentIn = (...statuses: string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.record({
    payment_id: fc.oneof(
      ...['payment_id', ...statuses.map((status) => `payment_id in ${status}`)].map(idMark),
    ),
  })

/** Paths whose parts depend on each other, and payments in the status that the route requires. */
export const paths: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  'POST /v1/payments-init/{payment_id}/action': paymentIn('processing', 'pending'),
  'POST /v1/payments/{payment_id}/cancel': paymentIn('initiated', 'pending'),
  'POST /v1/payments/{payment_id}/confirm': paymentIn('processing', 'pending'),
  'POST /v1/payments/{payment_id}/refund': paymentIn('completed', 'completed'),
  'POST /v1/payments/{payment_id}/review': paymentIn('initiated', 'reviewed'),
  'POST /v1/providers/{provider}/webhooks/{token}': fc
    .constantFrom('paystack', 'pawapay', 'stripe')
    .chain((provider) =>
      fc.record({ provider: fc.constant(provider), token: idMark(`token of ${provider}`) }),
    ),
}
