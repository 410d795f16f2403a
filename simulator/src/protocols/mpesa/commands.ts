import { randomUUID } from 'node:crypto'
import { json, type Answer } from '../../core/answer.ts'
import { runInBackground } from '../../core/background.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, type Behaviour } from '../../sentinels.ts'
import { badRequest, busy, parseRequest, refused } from './envelope.ts'
import { failureOf } from './failures.ts'
import { newReceipt } from './push.ts'
import { detailsOf } from './results.ts'
import { openCredential } from './sandbox-key.ts'
import { payoutSchema, reversalSchema, statusSchema, type Details } from './schema.ts'

/** The answer only acknowledges the request; the result is sent to the ResultURL. */
const taken = (originator: string): Answer =>
  json(200, {
    ConversationID: `AG_${randomUUID()}`,
    OriginatorConversationID: originator,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  })

export async function payOut(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(payoutSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const details: Details = {
    resultUrl: input.ResultURL,
    merchantRequestId: '',
    receipt: newReceipt(),
    phone: input.PartyB,
  }
  const isInitiator = mayInitiate(call, input.InitiatorName, input.SecurityCredential)
  return carryOut(kit, call, {
    operation: 'payout',
    reference: input.OriginatorConversationID,
    providerRef: `AG_${details.receipt}`,
    method: 'mobile_money',
    amount: input.Amount,
    currency: 'KES',
    behaviour: withInitiator(behaviourFor({ amount: input.Amount, account: input.PartyB }), isInitiator),
    details,
    duplicate: () => refused(500, '500.002.1001', 'Duplicate OriginatorConversationID.'),
    decline: (reason) => (reason === 'temporarily_unavailable' ? busy() : undefined),
    failure: (reason) => failureOf('payout', reason),
    accepted: () => taken(input.OriginatorConversationID),
  })
}

/** A wrong initiator is detected later and reported in the result. */
function withInitiator(behaviour: Behaviour, isInitiator: boolean): Behaviour {
  if (isInitiator) return behaviour
  const failure = { code: '2001', message: 'The initiator information is invalid.' }
  return { ...behaviour, outcome: 'fails', failure }
}

function mayInitiate(call: Call, name: string, credential: string): boolean {
  const { initiator_name: known, initiator_password: password } = call.account.secrets
  return name === known && openCredential(credential) === password
}

export async function reverse(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(reversalSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { TransactionID: receipt, Amount: amount, ResultURL: resultUrl, ...input } = parsed.input
  const charge = findByReceipt(kit, call, receipt)
  if (charge === undefined) return badRequest('Invalid TransactionID')
  const originator = `${randomUUID()}-1`
  const details: Details = { ...detailsOf(charge), resultUrl, receipt: newReceipt() }
  const isInitiator = mayInitiate(call, input.Initiator, input.SecurityCredential)
  return carryOut(kit, call, {
    operation: 'refund',
    reference: receipt,
    providerRef: originator,
    method: 'mobile_money',
    amount,
    currency: 'KES',
    behaviour: withInitiator(behaviourFor({ amount }), isInitiator),
    details,
    duplicate: () => badRequest('The transaction has already been reversed'),
    check: () => {
      if (charge.state !== 'completed') return badRequest('Invalid TransactionID')
      return amount === charge.amount ? undefined : badRequest('Invalid Amount')
    },
    decline: (reason) => (reason === 'temporarily_unavailable' ? busy() : undefined),
    failure: (reason) => failureOf('refund', reason),
    accepted: () => taken(originator),
  })
}

function findByReceipt(kit: Kit, call: Call, receipt: string): Transaction | undefined {
  return [...kit.transactions.values()].find(
    (one) =>
      one.account === call.account.name && one.operation === 'collect' && detailsOf(one).receipt === receipt,
  )
}

/** The state is sent to the ResultURL of the query a moment later. */
export function queryStatus(kit: Kit, call: Call): Answer {
  const parsed = parseRequest(statusSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  if (!mayInitiate(call, input.Initiator, input.SecurityCredential)) return taken(randomUUID())
  const reference = input.OriginalConversationID ?? ''
  const account = call.account.name
  const transaction =
    kit.transactions.find({ account, operation: 'payout', reference }) ??
    kit.transactions.findByProviderRef(account, reference)
  if (transaction) runInBackground(() => answerStatus(kit, transaction, input.ResultURL))
  return taken(randomUUID())
}

async function answerStatus(kit: Kit, transaction: Transaction, statusUrl: string): Promise<void> {
  // A query is answered even if the sentinel suppresses the payment's webhooks.
  const details = { ...transaction.details, statusUrl }
  await kit.resendWebhooks({ ...transaction, webhooks: 'once', details })
}
