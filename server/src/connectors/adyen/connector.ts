import {
  defineConnector,
  type Attempt,
  type CollectDetails,
  type Connector,
  type ConnectorContext,
  type Inquiry,
  type Outcome,
  type RefundRequest,
} from '../kit/connector.ts'
import { failureOf } from '../kit/failures.ts'
import { missingEuropean } from '../kit/missing-details.ts'
import { declined } from '../kit/reasons.ts'
import { readData, type Reading, type Reply } from '../kit/replies.ts'
import { isSameWireMoney, readWireMoney, wireMoney } from '../kit/provider-exponents.ts'
import { createAccounts } from './accounts.ts'
import { linkSchema, modificationSchema, paymentSchema } from './answers.ts'
import { createClient, type AdyenClient } from './client.ts'
import {
  accountHolderOf,
  adyenCredentials,
  capabilitiesOf,
  checkoutUrlOf,
  type AdyenCredentials,
} from './credentials.ts'
import { adyenDisputes, readDisputes } from './disputes.ts'
import { inquiryOf, outcomeOf, paymentOutcome } from './mapping.ts'
import { linkMark, linkRequest, paymentRequest } from './requests.ts'
import { createTransfers } from './transfers.ts'
import { readDeposits, readWebhook, verifyWebhook } from './webhook.ts'

interface Deps extends ConnectorContext<AdyenCredentials> {
  client: AdyenClient
}

const testHosts = ['checkout-test.adyen.com', 'ca-test.adyen.com', 'balanceplatform-api-test.adyen.com']
const notTold: Inquiry = { kind: 'unknown', reason: 'Adyen has no lookup: its webhooks decide' }

export const adyenConnector = defineConnector({
  name: 'adyen',
  credentials: adyenCredentials,
  namedAccount: ({ merchantAccount }) => merchantAccount,
  webhooks: { proves: 'account', scheme: 'HMAC-SHA256', binds: 'fields' },
  sandbox: { hosts: testHosts, unknownId: 'PL61C53A8B97E6915A' },
  create: (context): Connector<'account'> => {
    const { credentials, http } = context
    const client = createClient(http, { ...credentials, baseUrl: checkoutUrlOf(credentials) })
    const deps: Deps = { ...context, client }
    const transfers = credentials.transfers && createTransfers(context, credentials.transfers)
    const holder = accountHolderOf(credentials)
    return {
      name: 'adyen',
      capabilities: capabilitiesOf(credentials),
      notFoundFinalAfterMs: credentials.notFoundFinalAfterMs,
      hasCardPage: credentials.cardMode !== 'direct',
      missingFields: ({ country }, details) => {
        if (!('payer' in details)) return missingEuropean(country, details.bankAccount)
        return credentials.cardMode === 'direct' && !details.card ? ['card_details'] : []
      },
      collect: (attempt, details) => collect(deps, attempt, details),
      inquire: (attempt) =>
        attempt.direction === 'payout' && transfers ? transfers.inquire(attempt) : inquireLink(deps, attempt),
      receiveReturn: (attempt, { redirectResult }) => finish(deps, attempt, redirectResult),
      refund: (attempt, refund) => sendRefund(deps, attempt, refund),
      inquireRefund: async () => notTold,
      verifyWebhook: async (request) => verifyWebhook(credentials, request),
      readWebhook: (rawBody) => readWebhook(credentials, rawBody),
      readDisputes: (rawBody) => readDisputes(credentials, rawBody),
      ...adyenDisputes(context),
      ...(transfers && {
        payout: transfers.payout,
        listTransactions: transfers.listTransactions,
        listsOnly: 'payout',
      }),
      ...(holder && {
        ...createAccounts(http, holder),
        readDeposits: (rawBody: Buffer) => readDeposits(credentials, rawBody),
      }),
    }
  },
})

async function collect(deps: Deps, attempt: Attempt, details: CollectDetails): Promise<Outcome> {
  const { client, credentials } = deps
  const { merchantAccount, cardMode, ownExponents } = credentials
  const amount = wireMoney(attempt.amount, ownExponents)
  if (!amount) return declined('AMOUNT_NOT_ALLOWED')
  const terms = { amount, merchantAccount }
  const key = attempt.reference
  if (details.card && cardMode !== 'hosted') {
    const body = paymentRequest(terms, attempt, details, details.card)
    return paymentReply(deps, attempt, await client('/payments', body, key))
  }
  const body = linkRequest(terms, attempt, details)
  return outcomeOf(await client('/paymentLinks', body, key), readLink(deps, attempt))
}

function paymentReply({ credentials }: Deps, attempt: Attempt, reply: Reply): Outcome {
  const payment = readData(reply, paymentSchema)
  const isWhole = isSameWireMoney(attempt.amount, payment?.amount, credentials.ownExponents)
  // A partial authorisation is reported with its amount by webhook, for manual review.
  if (!payment || !(isWhole || payment.resultCode === 'PartiallyAuthorised'))
    return outcomeOf(reply, () => undefined)
  return paymentOutcome(attempt, payment)
}

/** The customer has returned from the bank's page; only this call charges the card. */
async function finish(deps: Deps, attempt: Attempt, redirectResult: string | undefined): Promise<Outcome> {
  if (!redirectResult) return { kind: 'not_sent', reason: 'the return has no redirectResult' }
  const body = { details: { redirectResult } }
  const reply = await deps.client('/payments/details', body, `${attempt.reference}-return`)
  // A refusal of this call does not decline the payment, which may have been made before.
  if (reply.kind === 'refused') return { kind: 'unknown', reason: `HTTP ${reply.status}` }
  return paymentReply(deps, attempt, reply)
}

const readLink =
  ({ credentials, clock }: Deps, { reference }: Attempt): Reading =>
  (data) => {
    const link = linkSchema.safeParse(data).data
    if (link?.reference !== `${reference}${linkMark}`) return undefined
    const { id: providerRef, status: providerStatus, url, updatedAt } = link
    const amount = readWireMoney(link.amount, credentials.ownExponents)
    const seen = { kind: 'accepted', providerRef, providerStatus, amount } as const
    const expired = { state: 'failed', failure: failureOf('EXPIRED') } as const
    const nextAction = { type: 'redirect', url } as const
    if (providerStatus === 'active') return { ...seen, state: { state: 'pending' }, nextAction }
    if (providerStatus === 'expired') return { ...seen, state: expired }
    // A refund needs the payment's reference, which only the webhook has. Without it the link counts after a while.
    const isLate = updatedAt && clock.now().getTime() - updatedAt.getTime() >= credentials.webhookGraceMs
    const isPaid = isLate && ['completed', 'paid'].includes(providerStatus)
    return { ...seen, state: { state: isPaid ? 'completed' : 'processing' } }
  }

const isLinkId = (providerRef: string | null): providerRef is string => providerRef?.startsWith('PL') === true

/** Checkout has no lookup of payments, and a repeat would need the card again. Only links can be looked up. */
async function inquireLink(deps: Deps, attempt: Attempt): Promise<Inquiry> {
  const { providerRef } = attempt
  if (!isLinkId(providerRef)) return notTold
  const reply = await deps.client(`/paymentLinks/${encodeURIComponent(providerRef)}`)
  return inquiryOf(reply, readLink(deps, attempt))
}

/** Adyen accepts every refund and refuses excess amounts only by webhook, so we refuse them here. */
async function sendRefund(deps: Deps, attempt: Attempt, refund: RefundRequest): Promise<Outcome> {
  const { client, credentials } = deps
  const { providerRef } = attempt
  const amount = wireMoney(refund.amount, credentials.ownExponents)
  const isCovered = refund.amount.amountMinor <= attempt.amount.amountMinor
  if (!amount || !isCovered || providerRef === null || isLinkId(providerRef))
    return declined('NOT_REFUNDABLE', 'final')
  const body = { amount, merchantAccount: credentials.merchantAccount, reference: refund.reference }
  const path = `/payments/${encodeURIComponent(providerRef)}/refunds`
  return outcomeOf(await client(path, body, refund.reference), (data) => {
    const taken = modificationSchema.safeParse(data).data
    if (taken?.paymentPspReference !== providerRef) return undefined
    const { pspReference, status: providerStatus } = taken
    return { kind: 'accepted', providerRef: pspReference, providerStatus, state: { state: 'processing' } }
  })
}
