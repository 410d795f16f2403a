import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { RampFlow } from '../testing/harness.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import { yellowcardConnector } from './connector.ts'

const returnUrl = 'https://shop.test/back'
const customer = { id: 'customer-1', type: 'retail' } as const
const unavailable = { kind: 'declined', code: 'PROVIDER_UNAVAILABLE', fallback: true } as const

const nigeriaIn: RampFlow = {
  title: 'naira by bank to a wallet',
  direction: 'on_ramp',
  method: 'bank_transfer',
  country: 'NG',
  currency: 'NGN',
  // Amount and crypto must match Yellow Card's rate, because a rate far from the customer's is refused.
  amountsMinor: [15_320_000n, 15_320_050n, 15_319_999n],
  sentinels: 'cents',
  details: {
    crypto: { amountMinor: 100_000_000n, currency: 'USDC' },
    network: 'BASE',
    walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    person: {
      name: 'Tunde Bello',
      email: 'tunde@example.com',
      bankAccount: { accountNumber: '1111111111', bankCode: '044' },
    },
    customer,
    returnUrl,
  },
  // `amount` and `convertedAmount` are in dollars and include fees, so they do not prove what moved.
  reportsAmount: false,
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
  },
  testValues: [
    {
      title: 'an account that fails in the sandbox',
      change: {
        details: { person: { name: 'Tunde', bankAccount: { accountNumber: '0000000000', bankCode: '044' } } },
      },
      refusal: { kind: 'failed', code: 'NOT_APPROVED' },
    },
    {
      title: 'a wallet that cannot be settled, so that the money is returned',
      change: { details: { walletAddress: '0x000000000000000000000000000000000000dead' } },
      refusal: { kind: 'failed', code: 'RETURNED' },
    },
    {
      title: 'an invalid wallet address',
      change: { details: { walletAddress: '0x12' } },
      refusal: { kind: 'declined', code: 'ADDRESS_INVALID', fallback: false },
    },
    {
      title: 'a rate that is far from Yellow Card’s',
      change: { details: { crypto: { amountMinor: 102_000_000n, currency: 'USDC' } } },
      refusal: { kind: 'declined', code: 'AMOUNT_NOT_ALLOWED', fallback: true },
    },
    {
      title: 'an unsupported network',
      change: { details: { network: 'CELO' } },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
  ],
}

const ugandaIn: RampFlow = {
  ...nigeriaIn,
  title: 'shillings by mobile money to a wallet',
  method: 'mobile_money',
  country: 'UG',
  currency: 'UGX',
  amountsMinor: [370_000n, 370_001n],
  sentinels: 'account',
  details: {
    ...nigeriaIn.details,
    person: { name: 'Grace Akello', mobileMoney: { network: 'MTN', phoneNumber: '+256783456789' } },
  },
  testValues: [],
}

const { walletAddress: _wallet, ...withoutWallet } = nigeriaIn.details

const nigeriaOut: RampFlow = {
  ...nigeriaIn,
  title: 'a wallet to a bank in Nigeria',
  direction: 'off_ramp',
  amountsMinor: [15_280_000n, 15_280_050n],
  sentinels: 'account',
  details: withoutWallet,
  testValues: [
    {
      title: 'an unknown bank',
      change: {
        details: { person: { name: 'Tunde', bankAccount: { accountNumber: '1111111111', bankCode: 'XX' } } },
      },
      refusal: { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true },
    },
  ],
}

const ugandaOut: RampFlow = {
  ...nigeriaOut,
  title: 'a wallet to mobile money in Uganda',
  method: 'mobile_money',
  country: 'UG',
  currency: 'UGX',
  amountsMinor: [369_000n],
  details: { ...withoutWallet, person: ugandaIn.details.person },
  testValues: [],
}

describeConnector({
  definition: yellowcardConnector,
  startSimulator,
  credentials: (baseUrl) => ({ baseUrl, apiKey: 'yc-sandbox-key', secretKey: 'yc-sandbox-secret' }),
  wrongCredentials: (baseUrl) => ({ baseUrl, apiKey: 'yc-sandbox-key', secretKey: 'not-the-secret' }),
  secrets: ['yc-sandbox-secret', 'not-the-secret'],
  flows: [nigeriaIn, ugandaIn, nigeriaOut, ugandaOut],
  webhooks: { kind: 'signed' },
})
