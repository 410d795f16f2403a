import { randomUUID } from 'node:crypto'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { ProtocolParts } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { handled, notFound, parseRequest, refused } from './envelope.ts'
import { failureOf, refusalOfRefund } from './failures.ts'
import { majorOf, newId, subunitsOf } from './identifiers.ts'
import { listAnswer } from './paging.ts'
import { presentNewRefund, presentRefund, refundDetailsOf, refundStatusOf } from './present-payout.ts'
import { chargeDetailsOf } from './present-transaction.ts'
import { refundInputSchema, type RefundDetails } from './schema.ts'
import { refundKeyOf, refundsOf, type Paystack } from './state.ts'
import { findCharge } from './transactions.ts'

/** Refunds have no reference and are not deduplicated, so a repeated request is a second refund. */
export async function createRefund(paystack: Paystack, call: Call): Promise<Answer> {
  const parsed = parseRequest(refundInputSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const charge = findRefundable(paystack, call, input.transaction)
  if (charge === undefined) return notFound('Transaction not found', 'transaction_not_found')
  const subunits = input.amount ?? BigInt(leftToRefund(paystack, charge))
  const amount = majorOf(subunits)
  const { id: transactionId, email, phone } = chargeDetailsOf(charge)
  const details: RefundDetails = {
    id: newId(),
    transactionId,
    transactionReference: charge.reference,
    transactionSubunits: subunitsOf(charge.amount),
    email,
    customerNote: input.customer_note ?? `Refund for transaction ${charge.reference}`,
    merchantNote: input.merchant_note ?? `Refund for transaction ${charge.reference} by the simulator`,
  }
  return carryOut(paystack.kit, call, {
    operation: 'refund',
    reference: logReferenceOf(paystack, call, input.merchant_note),
    providerRef: String(details.id),
    method: charge.method,
    amount,
    currency: charge.currency,
    behaviour: behaviourFor({ amount, account: phone }),
    details,
    duplicate: (existing) => refundAnswer(existing, charge),
    check: () => problemOf(paystack, charge, Number(subunits)),
    decline: refusalOfRefund,
    failure: (reason) => failureOf('refund', reason),
    accepted: (refund) => {
      const key = refundKeyOf(charge)
      paystack.refundIds.put(key, [...(paystack.refundIds.get(key) ?? []), refund.providerRef])
      return refundAnswer(refund, charge)
    },
  })
}

export const dashboardRefund =
  (paystack: Paystack): ProtocolParts['dashboardRefund'] =>
  (charge, { id: reference }) => {
    const { id: transactionId, email } = chargeDetailsOf(charge)
    const note = `Refund for transaction ${charge.reference} by the dashboard`
    const details: RefundDetails = {
      id: newId(),
      transactionId,
      transactionReference: charge.reference,
      transactionSubunits: subunitsOf(charge.amount),
      email,
      customerNote: note,
      merchantNote: note,
    }
    const key = refundKeyOf(charge)
    paystack.refundIds.put(key, [...(paystack.refundIds.get(key) ?? []), String(details.id)])
    return { reference, providerRef: String(details.id), details }
  }

function refundAnswer(refund: Transaction, charge: Transaction): Answer {
  return handled('Refund has been queued for processing', presentNewRefund(refund, charge))
}

/** The note is the log reference, so that tests can find the refund; a second refund gets a unique suffix. */
function logReferenceOf({ kit }: Paystack, call: Call, note: string | undefined): string {
  if (note === undefined) return randomUUID()
  const key = { account: call.account.name, operation: 'refund', reference: note } as const
  return kit.transactions.find(key) === undefined ? note : `${note} ${randomUUID()}`
}

export function fetchRefund(paystack: Paystack, call: Call): Answer {
  const refund = paystack.kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  if (refund?.operation !== 'refund') return notFound('Refund not found', 'refund_not_found')
  return handled('Refund retrieved', presentRefund(refund))
}

export function listRefunds(paystack: Paystack, call: Call): Answer {
  return listAnswer(paystack.kit, call, {
    operation: 'refund',
    message: 'Refunds retrieved',
    statusOf: refundStatusOf,
    present: presentRefund,
    refundedId: (refund) =>
      findCharge(paystack, call.account.name, refundDetailsOf(refund).transactionReference)?.providerRef,
  })
}

function findRefundable(paystack: Paystack, call: Call, transaction: string): Transaction | undefined {
  const account = call.account.name
  const byId = paystack.kit.transactions.findByProviderRef(account, transaction)
  return byId?.operation === 'collect' ? byId : findCharge(paystack, account, transaction)
}

function problemOf(paystack: Paystack, charge: Transaction, subunits: number): Answer | undefined {
  if (charge.state !== 'completed') {
    return refused(400, { message: 'Transaction is not refundable', code: 'transaction_not_successful' })
  }
  const left = leftToRefund(paystack, charge)
  if (left === 0) {
    return refused(400, { message: 'Transaction has been fully reversed', code: 'transaction_reversed' })
  }
  return subunits <= left
    ? undefined
    : refused(400, { message: 'Refund amount cannot be more than what is left', code: 'invalid_amount' })
}

function leftToRefund(paystack: Paystack, charge: Transaction): number {
  const counted = refundsOf(paystack, charge).filter(
    (refund) => refund.state === 'pending' || refund.state === 'completed',
  )
  return counted.reduce((left, refund) => left - subunitsOf(refund.amount), subunitsOf(charge.amount))
}
