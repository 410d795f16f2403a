import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { Connector, ConnectorDefinition, ProviderUpdate } from '../kit/connector.ts'
import type { PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import { paystackConnector } from './connector.ts'

const returnUrl = 'https://shop.test/back'
const payer = { name: 'Ama Mensah', email: 'ama@example.com' }
const unavailable = { kind: 'declined', code: 'PROVIDER_UNAVAILABLE', fallback: true } as const

const ghana: PayinFlow = {
  title: 'mobile money from Ghana',
  direction: 'payin',
  method: 'mobile_money',
  country: 'GH',
  currency: 'GHS',
  amountsMinor: [15_000n, 1n, 100n, 123_456_789n, 10_000_000_000_000n],
  sentinels: 'cents',
  otp: true,
  details: { payer, mobileMoney: { network: 'MTN', phoneNumber: '+233551234987' }, returnUrl },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'declined', code: 'INSUFFICIENT_FUNDS', fallback: false },
    declined: { kind: 'declined', code: 'UNSPECIFIED', fallback: false },
  },
  testValues: [
    {
      title: 'an invalid phone number',
      change: { details: { mobileMoney: { network: 'MTN', phoneNumber: '12' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
    {
      title: 'a network of another country',
      change: { details: { mobileMoney: { network: 'MPESA', phoneNumber: '+233551234987' } } },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
    {
      title: 'an invalid e-mail address',
      change: { details: { payer: { email: 'nobody' } } },
      refusal: { kind: 'declined', code: 'PROVIDER_REFUSED', fallback: true },
    },
  ],
}

const vodafone: PayinFlow = {
  ...ghana,
  title: 'Vodafone in Ghana, by voucher',
  details: { payer, mobileMoney: { network: 'VOD', phoneNumber: '0201234567' }, returnUrl },
  testValues: [],
}

const kenya: PayinFlow = {
  ...vodafone,
  title: 'M-PESA from Kenya, by the phone number',
  country: 'KE',
  currency: 'KES',
  sentinels: 'account',
  details: { payer, mobileMoney: { network: 'MPESA', phoneNumber: '254710000000' }, returnUrl },
}

const card: PayinFlow = {
  ...ghana,
  title: 'a card on the hosted page',
  method: 'card',
  country: 'NG',
  currency: 'NGN',
  details: {
    payer,
    card: { number: '4084084084084081', expiryMonth: '12', expiryYear: '2030', cvv: '408' },
    returnUrl,
  },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'failed', code: 'CARD_DECLINED' },
  },
  testValues: [],
}
delete card.otp

const dollars: PayinFlow = { ...card, title: 'a card in dollars', country: 'KE', currency: 'USD' }

const bankTransfer: PayinFlow = {
  ...card,
  title: 'a bank transfer from Nigeria',
  method: 'bank_transfer',
  details: { payer, returnUrl },
  refusals: {
    ...card.refusals,
    declined: { kind: 'failed', code: 'UNSPECIFIED' },
  },
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
    bankAccount: { accountNumber: '0123456789', bankCode: '058' },
    description: 'Salary',
  },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'declined', code: 'PROVIDER_OUT_OF_FUNDS', fallback: true },
    declined: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
  },
  testValues: [
    {
      title: 'an invalid account number',
      change: { details: { bankAccount: { accountNumber: '12345', bankCode: '058' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
    {
      title: 'an unknown bank',
      change: { details: { bankAccount: { accountNumber: '0123456789', bankCode: 'XX' } } },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
  ],
}

const banksOut: PayoutFlow[] = [
  ['GH', 'GHS', '040100'] as const,
  ['KE', 'KES', '68'] as const,
  ['ZA', 'ZAR', '250655'] as const,
].map(([country, currency, bankCode]) => ({
  ...nigeriaOut,
  title: `a payout to a bank in ${country}`,
  country,
  currency,
  details: { name: 'Ada Obi', bankAccount: { accountNumber: '0123456789', bankCode } },
  testValues: [],
}))

const ghanaOut: PayoutFlow = {
  ...nigeriaOut,
  title: 'a payout to mobile money in Ghana',
  method: 'mobile_money',
  country: 'GH',
  currency: 'GHS',
  details: { name: 'Ama Mensah', mobileMoney: { network: 'MTN', phoneNumber: '+233551234987' } },
  testValues: [],
}

const kenyaOut: PayoutFlow = {
  ...ghanaOut,
  title: 'a payout to M-PESA in Kenya',
  country: 'KE',
  currency: 'KES',
  details: { name: 'Otieno', mobileMoney: { network: 'MPESA', phoneNumber: '+254710000000' } },
}

describeConnector({
  definition: resolvingRefunds(paystackConnector),
  startSimulator: async (options) => {
    const simulator = await startSimulator(options)
    // Paystack sends this event only for some flows, and the connector must understand it.
    simulator.configure('paystack', { options: { charge_failed_events: true } })
    return simulator
  },
  credentials: (baseUrl) => ({ baseUrl, secretKey: 'sk_test_switchyard_sandbox' }),
  wrongCredentials: (baseUrl) => ({ baseUrl, secretKey: 'sk_test_of_nobody' }),
  secrets: ['sk_test_switchyard_sandbox', 'sk_test_of_nobody'],
  flows: [ghana, vodafone, kenya, card, dollars, bankTransfer, nigeriaOut, ...banksOut, ghanaOut, kenyaOut],
  webhooks: { kind: 'signed' },
  refunds: { flow: ghana, partial: true },
  accounts: {
    country: 'NG',
    known: { accountNumber: '0123456789', bankCode: '058' },
    unknown: { accountNumber: '0123456726', bankCode: '058' },
  },
  openings: { country: 'NG' },
  openapi: {
    file: 'paystack.yaml',
    deviations: {
      'POST /charge body: must NOT have unevaluated properties "currency"':
        'official samples send it; without it Paystack would take the currency of the integration [K]',
      'POST /charge body: must NOT have unevaluated properties "bank_transfer"':
        'official samples have it; the file was written before it [K]',
      'POST /transferrecipient body/type: must be equal to one of the allowed values':
        'kepss, for banks in Kenya, is in the documents and not in the file [D]',
      'GET /dispute/{id}/upload_url query/upload_filename: is not in the file':
        'the documents require it [D]',
      'GET /refund query/transaction: is not in the file': 'libraries for Paystack filter by it [K]',
      'PUT /dispute-uploads/': 'the place of the file is not an address of Paystack’s API',
    },
  },
})

/**
 * A refund's event contains only the payment's reference. The payments domain finds the refund by an inquiry;
 * this suite remembers it.
 */
function resolvingRefunds(definition: ConnectorDefinition): ConnectorDefinition {
  return {
    ...definition,
    create: (context) => {
      const connector = definition.create(context)
      const refunds = new Map<string, string>()
      const resolved = (update: ProviderUpdate): ProviderUpdate => ({
        ...update,
        reference:
          update.subject === 'refund'
            ? (refunds.get(update.reference) ?? update.reference)
            : update.reference,
      })
      const refund: Connector['refund'] = async (attempt, request) => {
        refunds.set(attempt.reference, request.reference)
        return connector.refund!(attempt, request)
      }
      return {
        ...connector,
        refund,
        readWebhook: (rawBody) => connector.readWebhook!(rawBody).map(resolved),
      }
    },
  }
}
