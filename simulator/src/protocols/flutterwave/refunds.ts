import { randomUUID } from 'node:crypto'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import { exponentOf, majorFromMinor, scaledAmount } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit, ProtocolParts } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { handled, parseRequest, refused } from './envelope.ts'
import { failureOf } from './failures.ts'
import { newId } from './identifiers.ts'
import { listAnswer } from './listing.ts'
import { chargeDetailsOf, presentRefund, refundDetailsOf } from './present.ts'
import { refundInputSchema, type RefundDetails } from './schema.ts'

/** Refunds have no reference and are not deduplicated, so a repeated request is a second refund. */
export async function createRefund(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(refundInputSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const charge = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  if (charge?.operation !== 'collect') return refused(400, 'No transaction was found for this id')
  const { comments = '' } = parsed.input
  const left = leftToRefund(kit, charge)
  const amount = parsed.input.amount ?? majorFromMinor(left, exponentOf(charge.currency))
  const { id: transactionId, flwRef } = chargeDetailsOf(charge)
  const details: RefundDetails = { id: newId(), transactionId, flwRef, comment: comments }
  return carryOut(kit, call, {
    operation: 'refund',
    reference: logReferenceOf(kit, call, comments),
    providerRef: String(details.id),
    method: charge.method,
    amount,
    currency: charge.currency,
    behaviour: behaviourFor({ amount }),
    details,
    duplicate: (existing) => handled('Transaction refund initiated', presentRefund(existing)),
    check: () => {
      if (charge.state !== 'completed') return refused(400, 'Only successful transactions can be refunded')
      const isCovered = minorOf(charge.currency, amount) <= left
      return isCovered ? undefined : refused(400, 'Refund amount is greater than the transaction amount')
    },
    decline: (reason) => refused(400, failureOf('refund', reason).message),
    failure: (reason) => failureOf('refund', reason),
    accepted: (refund) => handled('Transaction refund initiated', presentRefund(refund)),
  })
}

export const dashboardRefund: ProtocolParts['dashboardRefund'] = (charge, { id: reference }) => {
  const { id: transactionId, flwRef } = chargeDetailsOf(charge)
  const details: RefundDetails = { id: newId(), transactionId, flwRef, comment: 'Refunded by support' }
  return { reference, providerRef: String(details.id), details }
}

/** The comment is the log reference, so that tests can find the refund; a second refund gets a unique suffix. */
function logReferenceOf(kit: Kit, call: Call, comment: string): string {
  if (comment === '') return randomUUID()
  const key = { account: call.account.name, operation: 'refund', reference: comment } as const
  return kit.transactions.find(key) === undefined ? comment : `${comment} ${randomUUID()}`
}

const minorOf = (currency: string, amount: string): bigint => scaledAmount(amount, exponentOf(currency)) ?? 0n

function leftToRefund(kit: Kit, charge: Transaction): bigint {
  const { id } = chargeDetailsOf(charge)
  return [...kit.transactions.values()]
    .filter((one) => one.operation === 'refund' && one.account === charge.account)
    .filter((one) => refundDetailsOf(one).transactionId === id)
    .filter(({ state }) => state === 'pending' || state === 'completed')
    .reduce(
      (left, { amount }) => left - minorOf(charge.currency, amount),
      minorOf(charge.currency, charge.amount),
    )
}

export function fetchRefund(kit: Kit, call: Call): Answer {
  const refund = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  if (refund?.operation !== 'refund') return refused(404, 'Refund not found')
  return handled('Refund fetched', presentRefund(refund))
}

export function listRefunds(kit: Kit, call: Call): Answer {
  const { id } = call.query
  return listAnswer(kit, call, {
    operation: 'refund',
    message: 'Refunds fetched',
    isWanted: (one) => id === undefined || String(refundDetailsOf(one).transactionId) === id,
    present: presentRefund,
  })
}
