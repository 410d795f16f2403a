import type { Clock } from '../../lib/clock.ts'
import { rawNumber } from '../../lib/text/json.ts'
import { defineConnector, type Attempt, type Method, type Payee } from '../kit/connector.ts'
import { capabilitiesIn, marketsOf } from '../kit/markets.ts'
import { missingDetails } from '../kit/missing-details.ts'
import { readPhone } from '../kit/phone.ts'
import { readData, type Reading } from '../kit/replies.ts'
import { accountCurrencies, openAccount, readDeposits } from './accounts.ts'
import { checkoutSchema, recipientSchema } from './answers.ts'
import { createClient, paystackCredentials, type PaystackClient, type PaystackCredentials } from './client.ts'
import { paystackDisputes, readDisputes } from './disputes.ts'
import { listBanks, listNetworks, listTransactions, resolveAccount } from './lists.ts'
import { inquiryOf, notPrepared, outcomeOf, readMovement } from './mapping.ts'
import { listRefunds, paystackRefunds } from './refund.ts'
import { readEvent, verifySignature } from './webhook.ts'

const wallets = marketsOf('GH:GHS KE:KES')
const capabilities = [
  ...capabilitiesIn(marketsOf('NG:NGN,USD KE:KES,USD GH:GHS ZA:ZAR'), 'card', ['payin']),
  ...capabilitiesIn(wallets, 'mobile_money', ['payin']),
  ...capabilitiesIn(marketsOf('NG:NGN'), 'bank_transfer', ['payin']),
  ...capabilitiesIn(marketsOf('NG:NGN GH:GHS KE:KES ZA:ZAR'), 'bank_transfer', ['payout']),
  ...capabilitiesIn(wallets, 'mobile_money', ['payout']),
]

export const paystackConnector = defineConnector({
  name: 'paystack',
  credentials: paystackCredentials,
  webhooks: { proves: 'account', scheme: 'HMAC-SHA512', binds: 'body' },
  sandbox: { hosts: ['api.paystack.co'], keys: { secretKey: ['sk_test_'] } },
  create: ({ credentials, http, clock }) => {
    const client = createClient(credentials, http)
    return {
      name: 'paystack',
      capabilities,
      notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
      hasCardPage: true,
      missingFields: (attempt, details) => missingDetails(attempt, details),
      collect: collect(client, credentials, clock),
      payout: payOut(client, credentials),
      inquire: inquire(client),
      act: act(client, credentials),
      ...paystackRefunds(client),
      listRefunds: (scope) => listRefunds(client, scope),
      verifyWebhook: async (request) => verifySignature(credentials.secretKey, request),
      readWebhook: readEvent,
      listNetworks: (country) => listNetworks(client, country),
      listBanks: (country) => listBanks(client, country),
      listTransactions: listTransactions(client),
      accountCurrencies,
      openAccount: openAccount(client, credentials),
      readDeposits,
      resolveAccount: resolveAccount(client),
      readDisputes,
      ...paystackDisputes(client, http),
    }
  },
})

/** Customers enter cards on Paystack's page; the card in the details is never read. */
const collect =
  (client: PaystackClient, credentials: PaystackCredentials, clock: Clock): Method<'collect'> =>
  async (attempt, { payer, mobileMoney, returnUrl }) => {
    const terms = { ...termsOf(attempt), email: payer.email ?? '' }
    if (attempt.method === 'card') {
      const body = { ...terms, channels: ['card'], callback_url: returnUrl }
      return outcomeOf(await client('/transaction/initialize', body), readCheckout)
    }
    if (attempt.method === 'bank_transfer') {
      const expiresAt = new Date(clock.now().getTime() + credentials.bankTransferLifetimeMs)
      const body = { ...terms, bank_transfer: { account_expires_at: expiresAt.toISOString() } }
      return outcomeOf(await client('/charge', body), readMovement(attempt))
    }
    const network = mobileMoney?.network ?? ''
    const provider = credentials.chargeProviders[network] ?? network.toLowerCase()
    const phone = phoneOf(credentials, attempt.country, mobileMoney?.phoneNumber)
    const body = { ...terms, mobile_money: { phone, provider } }
    return outcomeOf(await client('/charge', body), readMovement(attempt))
  }

const termsOf = ({ reference, amount }: Attempt): object => ({
  amount: rawNumber(amount.amountMinor.toString()),
  currency: amount.currency,
  reference,
})

const readCheckout: Reading = (data) => {
  const url = checkoutSchema.safeParse(data).data?.authorization_url
  if (url === undefined) return undefined
  const open = { kind: 'accepted', providerRef: null, providerStatus: 'initialized' } as const
  return { ...open, state: { state: 'pending' }, nextAction: { type: 'redirect', url } }
}

/** The first of the two calls creates the recipient and moves no money. */
const payOut =
  (client: PaystackClient, credentials: PaystackCredentials): Method<'payout'> =>
  async (attempt, payee) => {
    const prepared = await client('/transferrecipient', recipientOf(credentials, attempt, payee))
    const recipient = readData(prepared, recipientSchema)?.recipient_code
    if (recipient === undefined) return notPrepared(prepared, 'the recipient could not be created')
    const source = { source: 'balance', reason: payee.description ?? 'Payout' }
    const body = { ...termsOf(attempt), ...source, recipient }
    return outcomeOf(await client('/transfer', body), readMovement(attempt))
  }

function recipientOf(credentials: PaystackCredentials, attempt: Attempt, payee: Payee): object {
  const { mobileMoney, bankAccount } = payee
  const common = { name: payee.name || (bankAccount?.accountName ?? ''), currency: attempt.amount.currency }
  if (attempt.method === 'mobile_money') {
    const account_number = phoneOf(credentials, attempt.country, mobileMoney?.phoneNumber)
    return { ...common, type: 'mobile_money', account_number, bank_code: mobileMoney?.network ?? '' }
  }
  const { accountNumber: account_number = '', bankCode: bank_code = '' } = bankAccount ?? {}
  return { ...common, type: credentials.recipientTypes[attempt.country] ?? '', account_number, bank_code }
}

/** An unreadable number is passed on for Paystack to refuse. */
function phoneOf(credentials: PaystackCredentials, country: string, phoneNumber = ''): string {
  const parsed = readPhone(phoneNumber, country)
  if (!parsed) return phoneNumber.trim()
  return credentials.nationalPhoneCountries.includes(country) ? `0${parsed.nationalNumber}` : parsed.number
}

/** Only `/charge` returns the customer's next step, but its "not found" counts only if verify confirms it. */
const inquire =
  (client: PaystackClient): Method<'inquire'> =>
  async (attempt) => {
    const { reference, direction, method } = attempt
    const ask = async (path: string) => inquiryOf(await client(`${path}/${reference}`), readMovement(attempt))
    if (direction === 'payout') return ask('/transfer/verify')
    const charge = method === 'card' ? undefined : await ask('/charge')
    return charge === undefined || charge.kind === 'not_found' ? ask('/transaction/verify') : charge
  }

/** Any other refusal is unknown and polled later, because the customer may still be paying. */
const act =
  (client: PaystackClient, { wrongOtpWords }: PaystackCredentials): Method<'act'> =>
  async (attempt, action) => {
    if (action.type === 'resend_otp') return { kind: 'not_sent', reason: 'Paystack cannot resend a password' }
    const reply = await client('/charge/submit_otp', { otp: action.otp, reference: attempt.reference })
    if (reply.kind !== 'refused') return outcomeOf(reply, readMovement(attempt))
    const text = reply.words.join(' ').toLowerCase()
    const isWrong =
      reply.words.includes('validation_error') && wrongOtpWords.some((word) => text.includes(word))
    return isWrong ? { kind: 'wrong_otp' } : { kind: 'unknown', reason: `HTTP ${reply.status}` }
  }
