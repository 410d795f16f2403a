import { SANDBOX_PUBLIC_KEY } from '@switchyard/simulator/protocols/mpesa/sandbox-key.ts'
import { startSimulator } from '@switchyard/simulator/simulator.ts'
import type { PayinFlow, PayoutFlow } from '../testing/harness.ts'
import { describeConnector } from '../testing/contract-suite.ts'
import { mpesaConnector } from './connector.ts'

const mobileMoney = { network: 'MPESA', phoneNumber: '+254710000000' }
const unavailable = { kind: 'declined', code: 'PROVIDER_UNAVAILABLE', fallback: true } as const

const testValues = [
  {
    title: 'an invalid phone number',
    change: { details: { mobileMoney: { network: 'MPESA', phoneNumber: '12' } } },
    refusal: { kind: 'declined', code: 'ACCOUNT_INVALID', fallback: false },
  },
  {
    title: 'an amount with cents',
    change: { amountMinor: 15_050n },
    refusal: { kind: 'declined', code: 'AMOUNT_NOT_ALLOWED', fallback: true },
  },
] as const

const push: PayinFlow = {
  title: 'a prompt on a phone in Kenya',
  direction: 'payin',
  method: 'mobile_money',
  country: 'KE',
  currency: 'KES',
  amountsMinor: [15_000n, 100n, 123_456_700n],
  sentinels: 'account',
  idempotent: false,
  foundByReference: false,
  reportsAmount: false,
  details: { payer: {}, mobileMoney, description: 'Order 7', returnUrl: 'https://shop.test/back' },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'failed', code: 'AUTHENTICATION_FAILED' },
  },
  testValues,
}

const payout: PayoutFlow = {
  title: 'a payout to a phone in Kenya',
  direction: 'payout',
  method: 'mobile_money',
  country: 'KE',
  currency: 'KES',
  amountsMinor: [15_000n, 100n, 123_456_700n],
  sentinels: 'account',
  reportsNotFound: false,
  details: { name: 'Otieno', mobileMoney },
  refusals: {
    temporarily_unavailable: unavailable,
    insufficient_funds: { kind: 'failed', code: 'INSUFFICIENT_FUNDS' },
    declined: { kind: 'failed', code: 'ACCOUNT_INVALID' },
  },
  testValues,
}

const keys = {
  consumerKey: 'mpesa-sandbox-key',
  consumerSecret: 'mpesa-sandbox-secret',
  shortCode: '174379',
  passkey: 'mpesa-sandbox-passkey',
  initiator: { name: 'testapi', password: 'mpesa-sandbox-initiator', certificate: SANDBOX_PUBLIC_KEY },
}

describeConnector({
  definition: mpesaConnector,
  startSimulator,
  credentials: (baseUrl) => ({ ...keys, baseUrl }),
  wrongCredentials: (baseUrl) => ({ ...keys, baseUrl, consumerSecret: 'mpesa-secret-of-nobody' }),
  secrets: [keys.consumerSecret, keys.passkey, keys.initiator.password, 'mpesa-secret-of-nobody'],
  flows: [push, payout],
  webhooks: { kind: 'unsigned' },
  refunds: { flow: push, partial: false },
  networks: 'configured',
})
