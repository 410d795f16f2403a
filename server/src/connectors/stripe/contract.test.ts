import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { Card } from '../kit/connector.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import type { ContractHarness, PayinFlow } from '../testing/harness.ts'
import { stripeConnector } from './connector.ts'

const secretKey = 'sk_test_switchyard_sandbox'
const webhookSecret = 'whsec_switchyard_sandbox'
const card: Card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2040', cvv: '123' }
const payer = { name: 'Ada Lovelace', email: 'ada@example.test', phone: '+442071234567' }
const returnUrl = 'https://pay.example.test/return?payment=1'
const details = { payer, returnUrl, description: 'Order 7' }

const declined = (code: string, fallback: boolean) => ({ kind: 'declined', code, fallback }) as const
const cardNumbered = (number: string) => ({ details: { card: { ...card, number } } })

const directCard: PayinFlow = {
  title: 'a card in the request',
  direction: 'payin',
  method: 'card',
  country: 'GB',
  currency: 'GBP',
  amountsMinor: [2_000n, 30n, 99_999_999n],
  sentinels: 'cents',
  details: { ...details, card },
  refusals: {
    temporarily_unavailable: declined('PROVIDER_UNAVAILABLE', true),
    insufficient_funds: declined('INSUFFICIENT_FUNDS', false),
    declined: declined('CARD_DECLINED', false),
  },
  testValues: [
    {
      title: 'generic decline',
      change: cardNumbered('4000000000000002'),
      refusal: declined('CARD_DECLINED', true),
    },
    {
      title: 'no funds',
      change: cardNumbered('4000000000009995'),
      refusal: declined('INSUFFICIENT_FUNDS', false),
    },
    {
      title: 'stolen',
      change: cardNumbered('4000000000009979'),
      refusal: declined('SUSPECTED_FRAUD', false),
    },
    { title: 'expired', change: cardNumbered('4000000000000069'), refusal: declined('CARD_EXPIRED', false) },
    {
      title: 'wrong CVC',
      change: cardNumbered('4000000000000127'),
      refusal: declined('CARD_INVALID', false),
    },
    {
      title: 'processing error',
      change: cardNumbered('4000000000000119'),
      refusal: declined('PROVIDER_UNAVAILABLE', true),
    },
    {
      title: '3D Secure, then declined',
      change: cardNumbered('4000008400001629'),
      refusal: { kind: 'failed', code: 'CARD_DECLINED' },
    },
  ],
}

const authenticatedCard: PayinFlow = {
  ...directCard,
  title: 'a card with 3D Secure',
  country: 'DE',
  currency: 'EUR',
  amountsMinor: [4_500n],
  details: { ...details, card: { ...card, number: '4000000000003220' } },
  testValues: [],
}

const yenCard: PayinFlow = {
  ...directCard,
  title: 'a card in a currency without cents',
  country: 'JP',
  currency: 'JPY',
  amountsMinor: [500n, 1n, 1_234_567n],
  testValues: [],
}

const hostedCard: PayinFlow = {
  ...directCard,
  title: 'a card on the checkout page',
  amountsMinor: [2_000n],
  details,
  refusals: {
    temporarily_unavailable: declined('PROVIDER_UNAVAILABLE', true),
    insufficient_funds: declined('PROVIDER_UNAVAILABLE', true),
    declined: declined('PROVIDER_UNAVAILABLE', true),
  },
  testValues: [],
}

const britishTransfer: PayinFlow = {
  ...hostedCard,
  title: 'a bank transfer in GBP',
  method: 'bank_transfer',
  amountsMinor: [2_000n, 99_999_999n],
  refusals: {
    temporarily_unavailable: declined('PROVIDER_UNAVAILABLE', true),
    insufficient_funds: { kind: 'failed' },
    declined: { kind: 'failed' },
  },
}

const euroTransfer: PayinFlow = {
  ...britishTransfer,
  title: 'a bank transfer in EUR',
  country: 'AT',
  currency: 'EUR',
}

/** The OpenAPI file is an excerpt of Stripe's from 2023. */
const search = 'the carried file has no search; Stripe documents it [D]'
const disputes = 'the file was cut before disputes; their paths are in the documents [D]'
const lists = 'lists are not in the part of the file that is carried; the parameters are from docs.stripe.com'
const rawCards = 'cards are left out of the public file, and taken from accounts that may send them'

const harness: ContractHarness = {
  definition: stripeConnector,
  startSimulator,
  credentials: (baseUrl) => ({
    secretKey,
    webhookSecrets: [webhookSecret],
    baseUrl,
    filesUrl: baseUrl,
  }),
  wrongCredentials: (baseUrl) => ({
    secretKey: 'sk_test_wrong',
    webhookSecrets: [webhookSecret],
    baseUrl: baseUrl,
  }),
  secrets: [secretKey, webhookSecret],
  // A payment that ends during the call has no webhook yet when the suite reads them.
  flows: [authenticatedCard, directCard, yenCard, hostedCard, britishTransfer, euroTransfer],
  webhooks: { kind: 'signed', windowMs: 300_000 },
  refunds: { flow: directCard, partial: true },
  cancel: { flow: britishTransfer, account: {}, accountAfter: {} },
  openapi: {
    file: 'stripe.json',
    deviations: {
      'POST /v1/payment_intents body/payment_method_data/type: must be equal': rawCards,
      'POST /v1/payment_intents body/payment_method_data: must NOT have unevaluated properties "card"':
        rawCards,
      'GET /v1/payment_intents is not in the file': lists,
      'GET /v1/checkout/sessions is not in the file': lists,
      'GET /v1/refunds is not in the file': lists,
      'GET /v1/disputes': disputes,
      'POST /v1/disputes/': disputes,
      'POST /v1/files': disputes,
      // The validator takes it for the path of an intent.
      'GET /v1/payment_intents/{intent} query/query: is not in the file': search,
      'GET /v1/payment_intents/{intent} query/limit: is not in the file': search,
    },
  },
}

describeConnector(harness)

/** Runs again with every card on the checkout page, so that the page runs under every fault too. */
describeConnector({
  ...harness,
  credentials: (baseUrl) => ({ ...harness.credentials(baseUrl), cardMode: 'hosted' }),
  flows: [hostedCard, britishTransfer],
  refunds: { flow: hostedCard, partial: true },
  cancel: { flow: hostedCard, account: {}, accountAfter: {} },
  openapi: {
    file: 'stripe.json',
    deviations: {
      'GET /v1/payment_intents is not in the file': lists,
      'GET /v1/checkout/sessions is not in the file': lists,
      'GET /v1/refunds is not in the file': lists,
      'GET /v1/disputes': disputes,
      'POST /v1/disputes/': disputes,
      'POST /v1/files': disputes,
      // The validator takes it for the path of an intent.
      'GET /v1/payment_intents/{intent} query/query: is not in the file': search,
      'GET /v1/payment_intents/{intent} query/limit: is not in the file': search,
    },
  },
})
