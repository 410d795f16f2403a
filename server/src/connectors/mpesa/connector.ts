import type { z } from 'zod'
import {
  defineConnector,
  type AcceptedOutcome,
  type Attempt,
  type CollectDetails,
  type Connector,
  type ConnectorContext,
  type Inquiry,
  type Outcome,
  type Payee,
  type RefundRequest,
} from '../kit/connector.ts'
import type { Network } from '../kit/lists.ts'
import { missingDetails } from '../kit/missing-details.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { declined } from '../kit/reasons.ts'
import { commandSchema, pushSchema, pushStateSchema, takenSchema } from './answers.ts'
import { verifyAddress } from './callback.ts'
import { createClient, invalidToken, type MpesaClient, type Reply } from './client.ts'
import { mpesaCredentials, type Initiator, type MpesaCredentials } from './credentials.ts'
import { readCallback, readPushRef, refusalOf, stateOf } from './mapping.ts'
import * as requests from './requests.ts'

interface Deps extends ConnectorContext<MpesaCredentials> {
  client: MpesaClient
}

const unread = { kind: 'unknown', reason: 'unreadable answer' } as const
const where = { method: 'mobile_money', countries: ['KE'], currencies: ['KES'] } as const
const facts = {
  payin: { ...where, lookUp: 'provider_id', idempotency: 'none' },
  payout: { ...where, lookUp: 'webhook' },
} as const
const network = {
  network: 'MPESA',
  name: 'M-PESA',
  country: 'KE',
  currency: 'KES',
  status: 'operational',
} as const

export const mpesaConnector = defineConnector({
  name: 'mpesa',
  credentials: mpesaCredentials,
  namedAccount: ({ shortCode }) => shortCode,
  webhooks: { proves: 'answer', scheme: 'address that cannot be guessed', binds: 'nothing' },
  sandbox: {
    hosts: ['sandbox.safaricom.co.ke'],
    unknownId: 'ws_CO_010120200000000254700000000',
    unknownKeyWord: invalidToken,
  },
  create: (context): Connector<'answer'> => {
    const deps: Deps = { ...context, client: createClient(context) }
    const { initiator } = context.credentials
    const directions: Network['directions'] = initiator ? ['payin', 'payout'] : ['payin']
    return {
      name: 'mpesa',
      capabilities: directions.map((direction) => ({ direction, ...facts[direction] })),
      missingFields: (attempt, details) =>
        missingDetails(attempt, details).filter((field) => field !== 'payer_details.email'),
      collect: (attempt, details) => collect(deps, attempt, details),
      inquire: (attempt) =>
        attempt.direction === 'payin'
          ? inquirePush(deps, attempt)
          : inquireStatus(deps, { ...attempt, originator: attempt.reference, subject: 'attempt' }),
      ...(initiator && {
        payout: (attempt: Attempt, payee: Payee) => payOut(deps, initiator, attempt, payee),
        refund: (attempt: Attempt, refund: RefundRequest) => reverse(deps, initiator, attempt, refund),
        inquireRefund: (_attempt: Attempt, { providerRef: originator, reference }: RefundRequest) =>
          inquireStatus(deps, { originator, reference, subject: 'refund' }),
      }),
      verifyWebhook: async ({ url }) => verifyAddress(context, url),
      readWebhook: readCallback,
      listNetworks: async (country) => (country === 'KE' ? [{ ...network, directions }] : []),
    }
  },
})

/** Undefined for an amount with cents, which M-PESA does not support. */
function orderOf(
  { reference, amount }: Attempt,
  details: CollectDetails | Payee,
): requests.Order | undefined {
  const shillings = requests.shillingsOf(amount)
  if (shillings === undefined) return undefined
  const phoneNumber = details.mobileMoney?.phoneNumber ?? ''
  return { reference, amount: shillings, phoneNumber, description: details.description ?? 'Payment' }
}

/** Every call is a new prompt on the phone, so after a lost answer only the callback counts and nothing is resent. */
async function collect(deps: Deps, attempt: Attempt, details: CollectDetails): Promise<Outcome> {
  const order = orderOf(attempt, details)
  if (!order) return declined('AMOUNT_NOT_ALLOWED')
  const reply = await deps.client('/mpesa/stkpush/v1/processrequest', requests.pushRequest(deps, order))
  return outcomeOf(deps, reply, pushSchema, ({ CheckoutRequestID }) => ({
    kind: 'accepted',
    providerRef: CheckoutRequestID,
    providerStatus: 'sent',
    state: { state: 'pending' },
    nextAction: { type: 'wait' },
  }))
}

async function payOut(deps: Deps, initiator: Initiator, attempt: Attempt, payee: Payee): Promise<Outcome> {
  const order = orderOf(attempt, payee)
  if (!order) return declined('AMOUNT_NOT_ALLOWED')
  const body = requests.payoutRequest(deps, initiator, order)
  return outcomeOf(deps, await deps.client('/mpesa/b2c/v3/paymentrequest', body), commandSchema, takenOf)
}

/** Reverses only the whole amount, because partial reversals are not confirmed. */
async function reverse(
  deps: Deps,
  initiator: Initiator,
  attempt: Attempt,
  refund: RefundRequest,
): Promise<Outcome> {
  const amount = requests.shillingsOf(refund.amount)
  const { receipt } = readPushRef(attempt.providerRef)
  const isWhole = refund.amount.amountMinor === attempt.amount.amountMinor
  if (!isWhole || amount === undefined || receipt === undefined) return declined('NOT_REFUNDABLE', 'final')
  const body = requests.reversalRequest(deps, initiator, { reference: refund.reference, receipt, amount })
  return outcomeOf(deps, await deps.client('/mpesa/reversal/v1/request', body), commandSchema, takenOf)
}

const takenOf = ({ OriginatorConversationID }: z.infer<typeof commandSchema>): AcceptedOutcome => ({
  kind: 'accepted',
  providerRef: OriginatorConversationID,
  providerStatus: 'accepted',
  state: { state: 'processing' },
})

function outcomeOf<Answer>(
  { credentials }: Deps,
  reply: Reply,
  schema: z.ZodType<Answer>,
  accepted: (answer: Answer) => AcceptedOutcome,
): Outcome {
  if (reply.kind !== 'answered') return refusalOf(credentials, reply)
  const answer = parseAnswer(reply.body, schema)
  return answer ? accepted(answer) : unread
}

/**
 * Only the prompt's id finds a payin; without it only the callback reports the result. The answer names no amount, and
 * counts because the id belongs to our request: the payer approves its amount or refuses it.
 */
async function inquirePush(deps: Deps, { providerRef }: Attempt): Promise<Inquiry> {
  const { id } = readPushRef(providerRef)
  if (id === undefined) return { kind: 'unknown', reason: 'the prompt’s id is unknown' }
  const body = { ...requests.signedFields(deps), CheckoutRequestID: id }
  const reply = await deps.client('/mpesa/stkpushquery/v1/query', body)
  const open = { kind: 'accepted', providerRef, providerStatus: 'processing' } as const
  const isOpen = reply.kind === 'refused' && /being processed/i.test(reply.message)
  if (isOpen) return { ...open, state: { state: 'pending' } }
  if (reply.kind !== 'answered') return { kind: 'unknown', reason: reasonOf(reply) }
  const answer = parseAnswer(reply.body, pushStateSchema)
  if (answer?.CheckoutRequestID !== id) return unread
  return { ...open, providerStatus: answer.ResultCode, state: stateOf('pending', answer.ResultCode) }
}

/** Daraja only accepts the inquiry and sends the answer to a separate address. */
async function inquireStatus(
  deps: Deps,
  question: { originator: string | null; reference: string; subject: 'attempt' | 'refund' },
): Promise<Inquiry> {
  const { originator, reference, subject } = question
  const { initiator } = deps.credentials
  if (originator === null || !initiator) return { kind: 'unknown', reason: 'no conversation id or initiator' }
  const body = requests.statusRequest(deps, initiator, { originator, reference, subject })
  const reply = await deps.client('/mpesa/transactionstatus/v1/query', body)
  const isAsked = reply.kind === 'answered' && parseAnswer(reply.body, takenSchema) !== undefined
  if (isAsked) return { kind: 'unknown', reason: 'accepted: the answer comes by webhook', isAsked }
  return { kind: 'unknown', reason: reply.kind === 'answered' ? 'not taken' : reasonOf(reply) }
}

const reasonOf = (reply: Exclude<Reply, { kind: 'answered' }>): string =>
  reply.kind === 'refused' ? reply.code : reply.reason
