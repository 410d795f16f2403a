import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import { flutterwaveConnector } from './connector.ts'

const returnUrl = 'https://shop.test/back'
const payer = { name: 'Ama Mensah', email: 'ama@example.com' }
const unavailable = { kind: 'declined', code: 'PROVIDER_UNAVAILABLE', fallback: true } as const

const ghana: PayinFlow = {
  title: 'mobile money from Ghana, on a page',
  direction: 'payin',
  method: 'mobile_money',
  country: 'GH',
  currency: 'GHS',
  amountsMinor: [15_000n, 1n, 100n, 123_456_789n, 10_000_000_000_000n],
  sentinels: 'cents',
  details: { payer, mobileMoney: { network: 'MTN', phoneNumber: '+233551234987' }, returnUrl },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'failed', code: 'UNSPECIFIED' },
  },
  testValues: [
    {
      title: 'an invalid phone number',
      change: { details: { mobileMoney: { network: 'MTN', phoneNumber: '12' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
    {
      title: 'a network of another country',
      change: { details: { mobileMoney: { network: 'ZAMTEL', phoneNumber: '+233551234987' } } },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
    {
      title: 'an invalid e-mail address',
      change: { details: { payer: { email: 'nobody' } } },
      refusal: { kind: 'declined', code: 'PROVIDER_REFUSED', fallback: true },
    },
  ],
}

const walletsIn: PayinFlow[] = [
  ['KE', 'KES', 'SAFARICOM', '254710000000', 15_000n] as const,
  ['UG', 'UGX', 'AIRTEL', '256750000000', 1_500n] as const,
  ['RW', 'RWF', 'MTN', '250780000000', 1_500n] as const,
  ['TZ', 'TZS', 'TIGO', '255710000000', 150_000n] as const,
  ['ZM', 'ZMW', 'ZAMTEL', '260950000000', 15_000n] as const,
  ['CM', 'XAF', 'ORANGE', '237690000000', 1_500n] as const,
  ['CI', 'XOF', 'WAVE', '2250700000000', 1_500n] as const,
  ['SN', 'XOF', 'WAVE', '221770000000', 1_500n] as const,
].map(([country, currency, network, phoneNumber, amountMinor]) => ({
  ...ghana,
  title: `mobile money from ${country}`,
  country,
  currency,
  sentinels: 'account',
  amountsMinor: [amountMinor, 1n, 123_456_700n],
  details: { payer, mobileMoney: { network, phoneNumber }, returnUrl },
  testValues: [],
}))

const cardOf = (number: string) => ({ number, expiryMonth: '09', expiryYear: '2032', cvv: '564' })

const card: PayinFlow = {
  ...ghana,
  title: 'a card without authentication',
  method: 'card',
  country: 'NG',
  currency: 'NGN',
  otp: true,
  details: { payer, card: cardOf('5061460166976054667'), returnUrl },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'declined', code: 'INSUFFICIENT_FUNDS', fallback: false },
    declined: { kind: 'declined', code: 'CARD_DECLINED', fallback: false },
  },
  testValues: [
    {
      title: 'a card without money',
      change: { details: { card: cardOf('5258585922666506') } },
      refusal: { kind: 'declined', code: 'INSUFFICIENT_FUNDS', fallback: false },
    },
    {
      title: 'a card that its bank does not honour',
      change: { details: { card: cardOf('5143010522339965') } },
      refusal: { kind: 'declined', code: 'CARD_DECLINED', fallback: false },
    },
  ],
}

const cards: PayinFlow[] = [
  ['on the page of its bank', '4187427415564246'] as const,
  ['by one-time password', '5438898014560229'] as const,
].map(([title, number]) => ({
  ...card,
  title: `a card, ${title}`,
  details: { payer, card: cardOf(number), returnUrl },
  testValues: [],
}))

const { otp: _otp, ...withoutOtp } = card
const handedOver: PayinFlow[] = [
  ['asks for its PIN', cardOf('5531886652142950')] as const,
  ['asks for an address', cardOf('4556052704172643')] as const,
  ['has not come with the request', undefined] as const,
].map(([title, given]) => ({
  ...withoutOtp,
  title: `a card that ${title}, on the hosted page`,
  details: { payer, card: given, returnUrl },
  testValues: [],
}))

const bankTransfer: PayinFlow = {
  ...ghana,
  title: 'a bank transfer from Nigeria',
  method: 'bank_transfer',
  country: 'NG',
  currency: 'NGN',
  details: { payer, returnUrl },
  testValues: [],
}

const nigeriaOut: PayoutFlow = {
  title: 'a payout to a bank in Nigeria',
  direction: 'payout',
  method: 'bank_transfer',
  country: 'NG',
  currency: 'NGN',
  amountsMinor: [15_000n, 1n, 123_456_789n],
  sentinels: 'account',
  details: {
    name: 'Ada Obi',
    bankAccount: { accountNumber: '0690000040', bankCode: '044' },
    description: 'Salary',
  },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'failed', code: 'PROVIDER_OUT_OF_FUNDS' },
    declined: { kind: 'failed', code: 'ACCOUNT_INVALID' },
  },
  testValues: [
    {
      title: 'an invalid account number',
      change: { details: { bankAccount: { accountNumber: '12', bankCode: '044' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
    {
      title: 'an unknown bank',
      change: { details: { bankAccount: { accountNumber: '0690000040', bankCode: 'XX' } } },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
  ],
}

const ghanaBankOut: PayoutFlow = {
  ...nigeriaOut,
  title: 'a payout to a branch of a bank in Ghana',
  country: 'GH',
  currency: 'GHS',
  details: {
    name: 'Ama Mensah',
    bankAccount: { accountNumber: '0690000040', bankCode: 'GH280100', sortCode: 'GH280103' },
  },
  testValues: [],
}

const walletsOut: PayoutFlow[] = walletsIn
  .concat(ghana)
  .map(({ country, currency, details, amountsMinor }) => ({
    ...nigeriaOut,
    title: `a payout to mobile money in ${country}`,
    method: 'mobile_money',
    country,
    currency,
    amountsMinor,
    details: { name: 'Ama Mensah', mobileMoney: details.mobileMoney },
    testValues: [],
  }))

const keys = {
  secretKey: 'FLWSECK_TEST-switchyard-sandbox-X',
  secretHash: 'flutterwave-sandbox-hash',
  cardKeys: {
    publicKey: 'FLWPUBK_TEST-switchyard-sandbox-X',
    encryptionKey: 'FLWSECK_TESTswitchyard01',
  },
}

describeConnector({
  definition: flutterwaveConnector,
  startSimulator,
  credentials: (baseUrl) => ({ ...keys, baseUrl: `${baseUrl}/v3` }),
  wrongCredentials: (baseUrl) => ({ ...keys, baseUrl: `${baseUrl}/v3`, secretKey: 'FLWSECK_TEST-of-nobody' }),
  secrets: [keys.secretKey, keys.secretHash, keys.cardKeys.encryptionKey, 'FLWSECK_TEST-of-nobody'],
  flows: [
    ghana,
    ...walletsIn,
    card,
    ...cards,
    ...handedOver,
    bankTransfer,
    nigeriaOut,
    ghanaBankOut,
    ...walletsOut,
  ],
  webhooks: { kind: 'unsigned' },
  refunds: { flow: ghana, partial: true, isReported: false },
  networks: 'configured',
  accounts: {
    country: 'NG',
    known: { accountNumber: '0690000040', bankCode: '044' },
    unknown: { accountNumber: '0690000026', bankCode: '044' },
  },
})
