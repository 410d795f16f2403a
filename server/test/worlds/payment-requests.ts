import type { Json } from '../app/test-app.ts'

/** A request whose payment completes; tests override what they need. */
export const mobileMoneyPayin = (change: object = {}): Json => ({
  amount: 5000,
  target_amount: 5000,
  currency: 'UGX',
  target_currency: 'UGX',
  payment_method: 'mobile_money',
  direction: 'payin',
  country: 'UG',
  payer_details: { name: 'Grace', email: 'grace@example.com', phone: '256783456789' },
  mobile_money_details: { provider: 'MTN', phone_number: '256783456789' },
  ...change,
})

/** For a country with two providers: pawapay first, then paystack. */
export const kenyanPayin = (change: object = {}): Json =>
  mobileMoneyPayin({
    amount: 100,
    target_amount: 100,
    currency: 'KES',
    target_currency: 'KES',
    country: 'KE',
    mobile_money_details: { provider: 'MPESA', phone_number: '254708663158' },
    ...change,
  })

/** For a country with the same providers in the opposite order. */
export const ghanaianPayin = (change: object = {}): Json =>
  kenyanPayin({
    currency: 'GHS',
    target_currency: 'GHS',
    country: 'GH',
    mobile_money_details: { provider: 'MTN', phone_number: '233241234567' },
    ...change,
  })

export const cardPayin = (change: object = {}): Json => ({
  amount: 25,
  target_amount: 25,
  currency: 'GBP',
  target_currency: 'GBP',
  payment_method: 'card',
  direction: 'payin',
  country: 'GB',
  payer_details: { name: 'Ann', email: 'ann@example.com' },
  card_details: { card_number: '4242424242424242', expiry_month: '12', expiry_year: '2031', cvv: '123' },
  ...change,
})

/** Its cents have no meaning for the simulator, so it completes. */
export const bankTransferPayin = (change: object = {}): Json => ({
  amount: 1500.75,
  target_amount: 1500.75,
  currency: 'NGN',
  target_currency: 'NGN',
  payment_method: 'bank_transfer',
  direction: 'payin',
  country: 'NG',
  payer_details: { name: 'Tunde', email: 'tunde@example.com' },
  bank_details: {
    account_name: 'Tunde',
    account_number: '0690000031',
    bank_name: 'Access Bank',
    country: 'NG',
  },
  bank_account: { account_number: '0123456789', bank_code: '044', bank_name: 'Access Bank' },
  ...change,
})

export const mobileMoneyPayout = (beneficiaryId: string, change: object = {}): Json => {
  const { payer_details: _payer, ...body } = mobileMoneyPayin()
  return { ...body, direction: 'payout', beneficiary_id: beneficiaryId, ...change }
}

export const bankPayout = (beneficiaryId: string, change: object = {}): Json => {
  const { payer_details: _payer, ...body } = bankTransferPayin()
  const bank_account = { account_number: '0690000049', bank_code: '044', bank_name: 'Access Bank' }
  return { ...body, direction: 'payout', bank_account, beneficiary_id: beneficiaryId, ...change }
}

/** The recipients of the two payouts above. */
export const mobileMoneyBeneficiary = (change: object = {}): Json => ({
  account_type: 'mobile_money',
  country: 'UG',
  currency: 'UGX',
  fname: 'Grace',
  lname: 'Akello',
  momo_details: { provider: 'MTN', phone_number: '256783456789' },
  ...change,
})

export const bankBeneficiary = (change: object = {}): Json => ({
  account_type: 'bank',
  country: 'NG',
  currency: 'NGN',
  fname: 'Ngozi',
  lname: 'Eze',
  email: 'ngozi@example.com',
  bank_details: { account_number: '0690000049', bank_code: '044', bank_name: 'Access Bank' },
  ...change,
})

/** A payin of pounds that is credited in naira. */
export async function exchangedCardPayin(org: {
  call(method: string, path: string): Promise<{ body: Json }>
}): Promise<Json> {
  const path = '/v1/organizations/admin/exchange-rate?fromCurrency=GBP&toCurrency=NGN'
  const { rate, org_rate_id } = (await org.call('GET', path)).body.data
  const target_amount = Math.round(25 * Number(rate) * 100) / 100
  return cardPayin({ target_amount, target_currency: 'NGN', org_rate_id })
}

/** A corridor that the operator carries out by hand. */
export const manualConfig = {
  provider: 'manual',
  country: 'FR',
  payment_method: 'bank_transfer',
  direction: 'inbound',
  priority: 5,
  min_amount: 1,
  max_amount: 500,
}
