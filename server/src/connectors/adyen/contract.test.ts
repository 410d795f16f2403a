import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { Card } from '../kit/connector.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import type { ContractHarness, PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { adyenConnector } from './connector.ts'

const payer = { name: 'Ada Lovelace', email: 'ada@example.test', phone: '+442071234567' }
const returnUrl = 'https://pay.example.test/return?payment=1'
const card: Card = {
  number: '4111111111111111',
  expiryMonth: '03',
  expiryYear: '2040',
  cvv: '737',
  holderName: 'Ada Lovelace',
}
const declined = (code: string, fallback: boolean) => ({ kind: 'declined', code, fallback }) as const
const holderNamed = (holderName: string) => ({ details: { card: { ...card, holderName } } })

const directCard: PayinFlow = {
  title: 'a card in the request',
  direction: 'payin',
  method: 'card',
  country: 'GB',
  currency: 'GBP',
  amountsMinor: [2_000n, 1n, 99_999_999n],
  sentinels: 'cents',
  foundByReference: false,
  lookUp: false,
  details: { payer, returnUrl, card },
  refusals: {
    temporarily_unavailable: declined('PROVIDER_UNAVAILABLE', true),
    insufficient_funds: declined('INSUFFICIENT_FUNDS', false),
    declined: declined('CARD_DECLINED', false),
  },
  testValues: [
    { title: 'DECLINED', change: holderNamed('DECLINED'), refusal: declined('CARD_DECLINED', true) },
    { title: 'BLOCK_CARD', change: holderNamed('BLOCK_CARD'), refusal: declined('CARD_DECLINED', false) },
    { title: 'CARD_EXPIRED', change: holderNamed('CARD_EXPIRED'), refusal: declined('CARD_EXPIRED', false) },
    { title: 'CVC_DECLINED', change: holderNamed('CVC_DECLINED'), refusal: declined('CARD_INVALID', false) },
    { title: 'ERROR', change: holderNamed('ERROR'), refusal: declined('UNSPECIFIED', false) },
    {
      title: 'NOT_ENOUGH_BALANCE',
      change: holderNamed('NOT_ENOUGH_BALANCE'),
      refusal: declined('INSUFFICIENT_FUNDS', false),
    },
    {
      title: 'an invalid card number',
      change: { details: { card: { ...card, number: '12' } } },
      refusal: declined('CARD_INVALID', false),
    },
  ],
}

const authenticatedCard: PayinFlow = {
  ...directCard,
  title: 'a card with 3D Secure',
  country: 'DE',
  currency: 'EUR',
  amountsMinor: [4_500n],
  details: { payer, returnUrl, card: { ...card, number: '4917610000000000' } },
  testValues: [],
}

const [yen, krona] = [
  ['JP', 'JPY', 'without cents'] as const,
  ['IS', 'ISK', 'that Adyen counts otherwise'] as const,
].map(([country, currency, title]): PayinFlow => ({
  ...directCard,
  title: `a card in a currency ${title}`,
  country,
  currency,
  amountsMinor: [500n, 1n, 1_234_567n],
  testValues: [],
}))

const hostedCard: PayinFlow = {
  ...directCard,
  title: 'a card on the page of a payment link',
  bare: true,
  reportsFailure: false,
  details: { payer, returnUrl, description: 'Order 7' },
  refusals: {
    temporarily_unavailable: declined('PROVIDER_REFUSED', true),
    insufficient_funds: declined('PROVIDER_REFUSED', true),
    declined: declined('PROVIDER_REFUSED', true),
  },
  testValues: [],
}

const britishPayout: PayoutFlow = {
  title: 'a payout to a sort code and account number',
  direction: 'payout',
  method: 'bank_transfer',
  country: 'GB',
  currency: 'GBP',
  amountsMinor: [15_000n, 1n, 99_999_999n],
  sentinels: 'cents',
  details: {
    name: 'Grace Hopper',
    bankAccount: { accountNumber: '12345678', sortCode: '20-00-00' },
    description: 'Salary',
  },
  refusals: {
    temporarily_unavailable: declined('PROVIDER_UNAVAILABLE', true),
    insufficient_funds: declined('PROVIDER_OUT_OF_FUNDS', true),
    declined: { kind: 'failed', code: 'ACCOUNT_NOT_FOUND' },
  },
  testValues: [
    {
      title: 'an invalid IBAN',
      change: { details: { bankAccount: { iban: 'NL' } } },
      refusal: declined('PROVIDER_REFUSED', true),
    },
  ],
}

const euroPayout: PayoutFlow = {
  ...britishPayout,
  title: 'a payout to an IBAN',
  country: 'NL',
  currency: 'EUR',
  details: { name: 'Edsger', bankAccount: { iban: 'NL91 ABNA 0417 1643 00' } },
  testValues: [],
}

const keys = {
  apiKey: 'AQE-adyen-sandbox-checkout',
  merchantAccount: 'SwitchyardECOM',
  hmacKeys: ['44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'],
}
const transfers = {
  apiKey: 'AQE-adyen-sandbox-transfers',
  balanceAccountId: 'BA3227C223222B5CTBLR8BWJB',
  hmacKeys: ['51757397D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB'],
  accountHolder: 'Switchyard B.V.',
}
const disputesAt = (baseUrl: string): string => `${baseUrl}/ca/services/DisputeService/v30`
const credentialsAt = (baseUrl: string) => ({
  ...keys,
  checkoutUrl: `${baseUrl}/v72`,
  disputesUrl: disputesAt(baseUrl),
  transfers: { ...transfers, baseUrl: `${baseUrl}/btl/v4`, accountsUrl: `${baseUrl}/bcl/v2` },
})
const wrongKey = 'AQE-of-nobody'

const harness: ContractHarness = {
  definition: adyenConnector,
  startSimulator,
  credentials: (baseUrl) => ({ ...credentialsAt(baseUrl), cardMode: 'direct' }),
  wrongCredentials: (baseUrl) => {
    const { transfers: platform, ...checkout } = credentialsAt(baseUrl)
    return { ...checkout, apiKey: wrongKey, transfers: { ...platform, apiKey: wrongKey } }
  },
  secrets: [keys.apiKey, transfers.apiKey, ...keys.hmacKeys, ...transfers.hmacKeys, wrongKey],
  flows: [directCard, authenticatedCard, yen ?? directCard, krona ?? directCard, britishPayout, euroPayout],
  webhooks: { kind: 'signed', binds: 'fields', decide: true },
  refunds: { flow: directCard, partial: true },
  listed: britishPayout,
  openings: { country: 'GB' },
  openapi: [
    { file: 'adyen-checkout-v72.json', baseUrl: (url) => `${url}/v72` },
    { file: 'adyen-transfers-v4.json', baseUrl: (url) => `${url}/btl/v4` },
  ],
}

describeConnector(harness)

/** Runs again with every card on a payment link, so that links run under every fault too. */
const { lookUp: _lookUp, ...hostedFlow } = hostedCard
const { openings: _openings, ...cardsOnly } = harness
describeConnector({
  ...cardsOnly,
  credentials: (baseUrl) => ({
    ...keys,
    checkoutUrl: `${baseUrl}/v72`,
    disputesUrl: disputesAt(baseUrl),
    cardMode: 'hosted',
  }),
  wrongCredentials: (baseUrl) => ({ ...keys, checkoutUrl: `${baseUrl}/v72`, apiKey: wrongKey }),
  flows: [hostedFlow],
  refunds: { flow: hostedFlow, partial: true },
  openapi: [{ file: 'adyen-checkout-v72.json', baseUrl: (url) => `${url}/v72` }],
})
