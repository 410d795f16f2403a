import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import { pawapayConnector } from './connector.ts'

const returnUrl = 'https://shop.test/back'

const uganda: PayinFlow = {
  title: 'mobile money from Uganda',
  direction: 'payin',
  method: 'mobile_money',
  country: 'UG',
  currency: 'UGX',
  amountsMinor: [5_000n, 1n, 10_000_000n],
  sentinels: 'account',
  details: {
    payer: { name: 'Akello' },
    mobileMoney: { network: 'MTN_MOMO_UGA', phoneNumber: '+256 783 456 789' },
    description: 'Order #4711, thanks!',
    returnUrl,
  },
  refusals: {
    temporarily_unavailable: { kind: 'declined', code: 'PROVIDER_UNAVAILABLE', fallback: true },
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'failed', code: 'ACCOUNT_NOT_FOUND' },
  },
  testValues: [
    limitReached('PAYER_LIMIT_REACHED', '019', 'ACCOUNT_LIMIT_REACHED'),
    limitReached('PAYER_NOT_FOUND', '029', 'ACCOUNT_NOT_FOUND'),
    limitReached('PAYMENT_NOT_APPROVED', '039', 'NOT_APPROVED'),
    limitReached('INSUFFICIENT_BALANCE', '049', 'INSUFFICIENT_FUNDS'),
    limitReached('UNSPECIFIED_FAILURE', '069', 'UNSPECIFIED'),
    {
      title: 'AMOUNT_OUT_OF_BOUNDS',
      change: { amountMinor: 10_000_001n },
      refusal: { kind: 'declined', code: 'AMOUNT_NOT_ALLOWED', fallback: true },
    },
    {
      title: 'INVALID_PHONE_NUMBER',
      change: { details: { mobileMoney: { network: 'MTN_MOMO_UGA', phoneNumber: '+254703456789' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
    {
      title: 'INVALID_PROVIDER',
      change: { details: { mobileMoney: { network: 'NOBODY_UGA', phoneNumber: '256783456789' } } },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
    {
      title: 'INVALID_CURRENCY',
      change: { details: { mobileMoney: { network: 'MTN_MOMO_GHA', phoneNumber: '233593456789' } } },
      refusal: { kind: 'declined', code: 'CURRENCY_NOT_SUPPORTED', fallback: true },
    },
  ],
}

function limitReached(title: string, accountEnding: string, code: string) {
  return { title, change: { accountEnding }, refusal: { kind: 'failed' as const, code } }
}

const kenya: PayinFlow = {
  ...uganda,
  title: 'mobile money from Kenya, whole shillings only',
  country: 'KE',
  currency: 'KES',
  amountsMinor: [150_000n, 100n],
  details: {
    payer: {},
    mobileMoney: { network: 'MPESA_KEN', phoneNumber: '0703456789' },
    returnUrl,
  },
  testValues: [
    limitReached('TRANSACTION_ALREADY_IN_PROCESS', '059', 'OTHER_PAYMENT_IN_PROGRESS'),
    {
      title: 'cents where the network has none',
      change: { amountMinor: 150_050n },
      refusal: { kind: 'declined', code: 'AMOUNT_NOT_ALLOWED', fallback: true },
    },
  ],
}

const ghana: PayinFlow = {
  ...uganda,
  title: 'mobile money from Ghana',
  country: 'GH',
  currency: 'GHS',
  amountsMinor: [1_500n, 100n, 1_050n, 123_456_789n],
  sentinels: 'cents',
  details: {
    payer: {},
    mobileMoney: { network: 'MTN_MOMO_GHA', phoneNumber: '233593456789' },
    returnUrl,
  },
  testValues: [],
}

const nigeria: PayinFlow = {
  ...ghana,
  title: 'mobile money from Nigeria',
  country: 'NG',
  currency: 'NGN',
  amountsMinor: [150_000n, 100n, 150_050n, 150_001n],
  details: {
    payer: {},
    mobileMoney: { network: 'MTN_MOMO_NGA', phoneNumber: '2348134567899' },
    returnUrl,
  },
}

const wave: PayinFlow = {
  ...ghana,
  title: 'Wave in Senegal, by redirect',
  country: 'SN',
  currency: 'XOF',
  amountsMinor: [500n],
  sentinels: 'account',
  details: {
    payer: {},
    mobileMoney: { network: 'WAVE_SEN', phoneNumber: '221773456789' },
    returnUrl,
  },
}

const ghanaOut: PayoutFlow = {
  title: 'mobile money to Ghana',
  direction: 'payout',
  method: 'mobile_money',
  country: 'GH',
  currency: 'GHS',
  amountsMinor: [2_500n, 101n],
  sentinels: 'cents',
  details: {
    name: 'Ama',
    mobileMoney: { network: 'MTN_MOMO_GHA', phoneNumber: '233593456789' },
    description: 'Salary',
  },
  refusals: {
    temporarily_unavailable: { kind: 'declined', code: 'PROVIDER_UNAVAILABLE', fallback: true },
    insufficient_funds: { kind: 'declined', code: 'PROVIDER_OUT_OF_FUNDS', fallback: true },
    declined: { kind: 'failed', code: 'ACCOUNT_NOT_FOUND' },
  },
  testValues: [
    limitReached('RECIPIENT_NOT_FOUND', '089', 'ACCOUNT_NOT_FOUND'),
    limitReached('WALLET_LIMIT_REACHED', '099', 'ACCOUNT_LIMIT_REACHED'),
    limitReached('RECIPIENT_LIMIT_REACHED', '109', 'ACCOUNT_LIMIT_REACHED'),
    limitReached('UNSPECIFIED_FAILURE', '119', 'UNSPECIFIED'),
  ],
}

const ugandaOut: PayoutFlow = {
  ...ghanaOut,
  title: 'mobile money to Uganda',
  country: 'UG',
  currency: 'UGX',
  amountsMinor: [7_500n],
  sentinels: 'account',
  details: { name: 'Okot', mobileMoney: { network: 'AIRTEL_OAPI_UGA', phoneNumber: '256753456789' } },
  testValues: [],
}

describeConnector({
  definition: pawapayConnector,
  startSimulator,
  credentials: (baseUrl) => ({ baseUrl, apiToken: 'pawapay-sandbox-token' }),
  wrongCredentials: (baseUrl) => ({ baseUrl, apiToken: 'nobody-knows-this-token' }),
  secrets: ['pawapay-sandbox-token', 'nobody-knows-this-token'],
  flows: [uganda, kenya, ghana, nigeria, wave, ghanaOut, ugandaOut],
  webhooks: { kind: 'signed', windowMs: 900_000 },
  refunds: { flow: ghana, partial: true },
  cancel: {
    flow: ghanaOut,
    account: { options: { MTN_MOMO_GHA: 'DELAYED' } },
    accountAfter: { options: { MTN_MOMO_GHA: 'OPERATIONAL' } },
  },
})
