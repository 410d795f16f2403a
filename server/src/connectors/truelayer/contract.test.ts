import { SANDBOX_KEY_ID, SANDBOX_SIGNING_KEY } from '@switchyard/simulator/protocols/truelayer/sandbox-key.ts'
import { startSimulator } from '@switchyard/simulator/simulator.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import type { PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { truelayerConnector } from './connector.ts'

const refused = { kind: 'declined', code: 'PROVIDER_REFUSED', fallback: true } as const

const britishPayin: PayinFlow = {
  title: 'a bank payment in GBP, on the hosted page',
  direction: 'payin',
  method: 'bank_transfer',
  country: 'GB',
  currency: 'GBP',
  amountsMinor: [2_000n, 1n, 99_999_999n],
  sentinels: 'cents',
  foundByReference: false,
  details: {
    payer: { name: 'Ada Lovelace', email: 'ada@example.test' },
    returnUrl: 'https://pay.example.test/return/1',
  },
  refusals: {
    temporarily_unavailable: refused,
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'failed', code: 'NOT_APPROVED' },
  },
  testValues: [
    {
      title: 'an invalid e-mail address',
      change: { details: { payer: { name: 'Ada', email: 'nobody' } } },
      refusal: refused,
    },
  ],
}

const euroPayin: PayinFlow = {
  ...britishPayin,
  title: 'a bank payment in EUR',
  country: 'FR',
  currency: 'EUR',
  testValues: [],
}

const britishPayout: PayoutFlow = {
  title: 'a payout to a sort code and account number',
  direction: 'payout',
  method: 'bank_transfer',
  country: 'GB',
  currency: 'GBP',
  amountsMinor: [15_000n, 1n, 99_999_999n],
  sentinels: 'account',
  foundByReference: false,
  details: { name: 'Grace Hopper', bankAccount: { accountNumber: '12345600', sortCode: '20-00-00' } },
  refusals: {
    temporarily_unavailable: refused,
    insufficient_funds: { kind: 'failed', code: 'PROVIDER_OUT_OF_FUNDS' },
    declined: { kind: 'failed', code: 'ACCOUNT_INVALID' },
  },
  testValues: [
    {
      title: 'an invalid account number',
      change: { details: { bankAccount: { accountNumber: '12', sortCode: '200000' } } },
      refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
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
  clientId: 'switchyard-sandbox',
  clientSecret: 'truelayer-sandbox-secret',
  signingKey: SANDBOX_SIGNING_KEY,
  signingKeyId: SANDBOX_KEY_ID,
  merchantAccounts: {
    GBP: '822f8dfe-0874-481f-b966-5b14f767792f',
    EUR: 'a8bd2b7d-c6a7-4a3c-9a0e-6a8dbf7d2c11',
  },
}
const credentials = (baseUrl: string) => ({
  ...keys,
  baseUrl,
  authUrl: baseUrl,
  jwksUrl: `${baseUrl}/.well-known/jwks`,
})

describeConnector({
  definition: truelayerConnector,
  startSimulator,
  credentials,
  wrongCredentials: (baseUrl) => ({ ...credentials(baseUrl), clientSecret: 'truelayer-secret-of-nobody' }),
  secrets: [keys.clientSecret, keys.signingKey, 'resource-token', 'truelayer-secret-of-nobody'],
  flows: [britishPayin, euroPayin, britishPayout, euroPayout],
  webhooks: { kind: 'signed', windowMs: 900_000, decide: true },
  refunds: { flow: britishPayin, partial: true, found: true },
  cancel: { flow: britishPayin, account: {}, accountAfter: {} },
})
