import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { checkPayment, statusOfNetwork } from './check-payment.ts'
import { failureAnswer, failureOf, rejection, rejectionCodeOf } from './failures.ts'
import { networkOf } from './networks.ts'
import { flattenMetadata, parseRequest, payoutSchema, type Details } from './schema.ts'
import { behaviourOf } from './test-numbers.ts'

const MAX_BULK = 100
/** Longer than any test: a queued payout advances only through `_settle` or its cancellation. */
const ENQUEUED_MS = 86_400_000

export async function initiatePayout(kit: Kit, call: Call): Promise<Answer> {
  return payOut(kit, call, call.payload)
}

/** Items are independent, but a connection fault on one item loses the whole answer. */
export async function initiateBulkPayout(kit: Kit, call: Call): Promise<Answer> {
  const items = z.array(z.unknown()).max(MAX_BULK).safeParse(call.payload)
  if (!items.success) return failureAnswer(400, 'INVALID_INPUT')
  const answers: Answer[] = []
  for (const item of items.data) answers.push(await payOut(kit, call, item))
  const refused = answers.find((answer) => answer.status !== 200 && answer.effect === undefined)
  const effect = answers.find((answer) => answer.effect !== undefined)?.effect
  const bodies = answers.map((answer) => answer.body)
  return refused ?? { ...json(200, bodies), effect }
}

async function payOut(kit: Kit, call: Call, payload: unknown): Promise<Answer> {
  const parsed = parseRequest(payoutSchema, payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const { payoutId, amount, currency } = input
  const metadata = flattenMetadata(input.metadata)
  if (metadata === undefined) return failureAnswer(400, 'DUPLICATE_METADATA_FIELD')
  const { phoneNumber, provider } = input.recipient.accountDetails
  const enqueued = statusOfNetwork(call.account, provider) === 'DELAYED'
  const details: Details = {
    phoneNumber,
    provider,
    country: networkOf(provider)?.country ?? '',
    customerMessage: input.customerMessage,
    clientReferenceId: input.clientReferenceId,
    metadata,
    enqueued,
  }
  return carryOut(kit, call, {
    operation: 'payout',
    reference: payoutId,
    method: 'mobile_money',
    amount,
    currency,
    behaviour: behaviourOf({ operation: 'payout', amount, phoneNumber }),
    details,
    ...(enqueued && { start: startInQueue() }),
    duplicate: (existing) => initiationAnswer(existing, 'DUPLICATE_IGNORED'),
    check: () => {
      const checked = checkPayment(call.account, {
        operation: 'PAYOUT',
        amount,
        currency,
        provider,
        phoneNumber,
      })
      return 'rejectionCode' in checked ? rejection({ payoutId }, checked.rejectionCode) : undefined
    },
    decline: (reason) => {
      const code = rejectionCodeOf('payout', reason)
      return code === undefined ? undefined : rejection({ payoutId }, code)
    },
    failure: (reason) => failureOf('payout', reason),
    accepted: (transaction) => initiationAnswer(transaction, 'ACCEPTED'),
  })
}

export function startInQueue(): Pick<Transaction, 'state' | 'plan'> {
  const step: Step = { afterMs: ENQUEUED_MS, state: 'completed', details: { enqueued: false } }
  return { state: 'pending', plan: [step] }
}

function initiationAnswer(transaction: Transaction, status: 'ACCEPTED' | 'DUPLICATE_IGNORED'): Answer {
  return json(200, { payoutId: transaction.reference, status, created: transaction.createdAt })
}
