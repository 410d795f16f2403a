/** A corridor of mobile money that the installation offers for payins and payouts. */
export const corridors = {
  KE: { country: 'KE', currency: 'KES', network: 'MPESA', phone: '2547080001' },
  UG: { country: 'UG', currency: 'UGX', network: 'MTN', phone: '2567720001' },
} as const
export type Corridor = (typeof corridors)[keyof typeof corridors]

/** The last two digits of a phone number decide what the simulator does; see its sentinels. */
export const succeeds = '00'
export const staysPending = '13'
export const failsLater = '14'
export const neverAnswered = '16'

const payer = { name: 'Ann Payer', email: 'ann@example.com', phone: '256772000130' }

export type Terms = { amount: number; description?: string }

const base = (place: { country: string; currency: string }, { amount, description = 'robbery' }: Terms) => ({
  amount,
  target_amount: amount,
  currency: place.currency,
  target_currency: place.currency,
  country: place.country,
  description,
})

export const momoPayin = (corridor: Corridor, terms: Terms, digits = succeeds): object => ({
  ...base(corridor, terms),
  direction: 'payin',
  payment_method: 'mobile_money',
  payer_details: payer,
  mobile_money_details: { provider: corridor.network, phone_number: corridor.phone + digits },
})

type Payee = { beneficiaryId: string; digits?: string }

export const momoPayout = (
  corridor: Corridor,
  terms: Terms,
  { beneficiaryId, digits = succeeds }: Payee,
): object => ({
  ...base(corridor, terms),
  direction: 'payout',
  payment_method: 'mobile_money',
  beneficiary_id: beneficiaryId,
  mobile_money_details: { provider: corridor.network, phone_number: corridor.phone + digits },
})

export const momoPayee = (corridor: Corridor, digits = succeeds): object => ({
  account_type: 'mobile_money',
  country: corridor.country,
  currency: corridor.currency,
  fname: 'Grace',
  lname: 'Akello',
  momo_details: { provider: corridor.network, phone_number: corridor.phone + digits },
})

const nigerianBank = { account_number: '0123456785', bank_code: '058', bank_name: 'Guaranty Trust Bank' }

export const bankPayee: object = {
  account_type: 'bank',
  country: 'NG',
  currency: 'NGN',
  fname: 'Ngozi',
  lname: 'Eze',
  bank_details: nigerianBank,
}

const byBank = (country: string) => ({
  payment_method: 'bank_transfer',
  bank_details: { ...nigerianBank, account_name: 'Ngozi Eze', country },
  bank_account: nigerianBank,
})

export const bankPayout = (terms: Terms, beneficiaryId: string): object => ({
  ...base({ country: 'NG', currency: 'NGN' }, terms),
  ...byBank('NG'),
  direction: 'payout',
  beneficiary_id: beneficiaryId,
})

export const bankPayin = (place: { country: string; currency: string }, terms: Terms): object => ({
  ...base(place, terms),
  ...byBank(place.country),
  direction: 'payin',
  payer_details: payer,
})

const ukBank = { account_number: '31926819' }

/** In the UK the installation collects by Stripe and pays out by hand. */
export const ukPayee: object = {
  account_type: 'bank',
  country: 'GB',
  currency: 'GBP',
  fname: 'Ann',
  lname: 'Hartley',
  bank_details: { ...ukBank, sort_code: '60-16-13' },
}

export const ukPayout = (terms: Terms, beneficiaryId: string): object => ({
  ...base({ country: 'GB', currency: 'GBP' }, terms),
  direction: 'payout',
  payment_method: 'bank_transfer',
  bank_details: { ...ukBank, account_name: 'Ann Hartley', country: 'GB' },
  bank_account: ukBank,
  beneficiary_id: beneficiaryId,
})

type Card = { number?: string; holder?: string }

export const cardPayin = (terms: Terms, { number = '4242424242424242', holder }: Card = {}): object => ({
  ...base({ country: 'GB', currency: 'GBP' }, terms),
  direction: 'payin',
  payment_method: 'card',
  payer_details: payer,
  card_details: {
    card_number: number,
    expiry_month: '12',
    expiry_year: '2031',
    cvv: '123',
    ...(holder !== undefined && { card_holder_name: holder }),
  },
})

/** Where the thief receives tokens. */
export const thiefWallet = '0x000000000000000000000000000000000000dEaD'

export const onRamp = (corridor: Corridor, fiat: { amount: number; rate: number }): object => ({
  direction: 'on_ramp',
  fiat_currency: corridor.currency,
  fiat_amount: fiat.amount,
  client_rate: fiat.rate,
  crypto_currency: 'USDC',
  crypto_network: 'BASE',
  country: corridor.country,
  wallet_address: thiefWallet,
  mobile_money_details: { provider: corridor.network, phone_number: corridor.phone + succeeds },
})

export const offRamp = (
  corridor: Corridor,
  fiat: { amount: number; rate: number },
  payee: string,
): object => ({
  direction: 'off_ramp',
  fiat_currency: corridor.currency,
  fiat_amount: fiat.amount,
  client_rate: fiat.rate,
  crypto_currency: 'USDC',
  crypto_network: 'BASE',
  country: corridor.country,
  beneficiary_id: payee,
})

/** A wallet in Nigeria, which only pawaPay pays out to. */
export const nairaWallet: object = {
  account_type: 'mobile_money',
  country: 'NG',
  currency: 'NGN',
  fname: 'Ngozi',
  lname: 'Eze',
  momo_details: { provider: 'MTN', phone_number: '2348031230000' },
}

/** Stripe asks for the bank's page before it charges this card, and nobody visits it. */
export const cardWithPage = '4000002760003184'
