import { startSimulator } from '@switchyard/simulator/simulator.ts'
import { formatMinor } from '../../lib/money/money.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import type { PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { circleConnector } from './connector.ts'

const returnUrl = 'https://shop.test/back'
const payer = { name: 'Ada Lovelace', email: 'ada@example.test' }
const usAccount = { accountNumber: '12340010', bankCode: '121000248', bankName: 'WELLS FARGO' }
const iban = 'DE31100400480532013000'
const refused = { kind: 'declined', code: 'PROVIDER_REFUSED', fallback: true } as const
const failed = (code: string) => ({ kind: 'failed', code }) as const
const noNetwork = { kind: 'declined', code: 'NETWORK_NOT_SUPPORTED', fallback: true } as const

const dollarsIn: PayinFlow = {
  title: 'dollars by wire',
  direction: 'payin',
  method: 'bank_transfer',
  country: 'US',
  currency: 'USD',
  amountsMinor: [100_000n, 99_999_999n, 1n],
  sentinels: 'cents',
  foundByReference: false,
  details: { payer, returnUrl, payerAccount: usAccount },
  refusals: {
    temporarily_unavailable: refused,
    insufficient_funds: failed('UNSPECIFIED'),
    declined: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
  },
  testValues: [
    {
      title: 'an account that cannot be linked',
      change: { accountEnding: '98' },
      refusal: failed('ACCOUNT_INVALID'),
    },
    {
      title: 'an invalid account number',
      change: { details: { payerAccount: { ...usAccount, accountNumber: '12' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
  ],
}

const eurosIn: PayinFlow = {
  ...dollarsIn,
  title: 'euros by SEPA',
  country: 'DE',
  currency: 'EUR',
  amountsMinor: [45_000n],
  details: { payer, returnUrl, payerAccount: { iban } },
  testValues: [],
}

const tokensIn: PayinFlow = {
  ...dollarsIn,
  title: 'USDC from a wallet',
  method: 'crypto',
  currency: 'USDC',
  amountsMinor: [100_000_000n, 1n, 99_999_999n],
  bare: true,
  details: { payer, returnUrl, cryptoNetwork: 'BASE' },
  refusals: {
    temporarily_unavailable: refused,
    insufficient_funds: failed('UNSPECIFIED'),
    declined: failed('UNSPECIFIED'),
  },
  testValues: [
    {
      title: 'an unsupported network',
      change: { details: { cryptoNetwork: 'TRON' } },
      refusal: noNetwork,
    },
  ],
}

const euroTokensIn: PayinFlow = {
  ...tokensIn,
  title: 'EURC from a wallet',
  country: 'DE',
  currency: 'EURC',
  amountsMinor: [45_000_000n],
  testValues: [],
}

const sent = {
  temporarily_unavailable: refused,
  insufficient_funds: failed('PROVIDER_OUT_OF_FUNDS'),
  declined: failed('SUSPECTED_FRAUD'),
}

const dollarsOut: PayoutFlow = {
  title: 'dollars to a bank',
  direction: 'payout',
  method: 'bank_transfer',
  country: 'US',
  currency: 'USD',
  amountsMinor: [100_000n, 1n],
  sentinels: 'account',
  foundByReference: false,
  details: { name: 'Grace Hopper', bankAccount: usAccount },
  refusals: sent,
  testValues: [
    {
      title: 'an account that cannot be linked',
      change: { accountEnding: '98' },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
    },
  ],
}

const eurosOut: PayoutFlow = {
  ...dollarsOut,
  title: 'euros to a bank',
  country: 'DE',
  currency: 'EUR',
  amountsMinor: [45_000n],
  details: { name: 'Grace Hopper', bankAccount: { iban, bankName: 'COMMERZBANK' } },
  testValues: [],
}

const tokensOut: PayoutFlow = {
  ...dollarsOut,
  title: 'USDC to a wallet',
  method: 'crypto',
  currency: 'USDC',
  amountsMinor: [100_000_000n, 1n, 99_999_999n],
  sentinels: 'cents',
  bare: true,
  details: {
    name: 'Grace Hopper',
    wallet: { network: 'BASE', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  },
  testValues: [
    {
      title: 'an unsupported network',
      change: { details: { wallet: { network: 'TRON', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' } } },
      refusal: noNetwork,
    },
    {
      title: 'an invalid wallet address',
      change: { details: { wallet: { network: 'BASE', address: '0x12' } } },
      refusal: { kind: 'declined', code: 'ADDRESS_INVALID', fallback: false },
    },
  ],
}

const holderAddress = {
  line1: '100 Money Street',
  city: 'Boston',
  district: 'MA',
  postalCode: '01234',
  country: 'US',
}
const apiKey = 'SAND_API_KEY:circle:switchyard'

describeConnector({
  definition: circleConnector,
  startSimulator,
  credentials: (baseUrl) => ({ baseUrl, apiKey, holderAddress, sns: { mirror: `${baseUrl}/sns` } }),
  wrongCredentials: (baseUrl) => ({ baseUrl, apiKey: 'SAND_API_KEY:not:known', holderAddress }),
  secrets: [apiKey, 'SAND_API_KEY:not:known'],
  flows: [dollarsIn, eurosIn, tokensIn, euroTokensIn, dollarsOut, eurosOut, tokensOut],
  // No request contains the amount, so the simulated customer pays the amount of the attempt.
  configureBefore: ({ direction, amount }) => ({
    options: {
      customer_pays: direction === 'payin' ? formatMinor(amount.amountMinor, amount.currency) : '',
    },
  }),
  webhooks: { kind: 'signed', windowMs: 3_600_000, binds: 'fields', named: 'by provider' },
  refunds: { flow: dollarsIn, partial: true, isReported: false, by: 'payout' },
  openapi: {
    file: 'circle.json',
    deviations: { 'GET /sns/': 'Amazon’s certificates, behind the same address' },
  },
})
