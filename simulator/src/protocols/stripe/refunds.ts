import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut, planFor } from '../../core/carry-out.ts'
import { takingMoney } from '../../core/dispute.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit, ProtocolParts } from '../../protocol.ts'
import { behaviourFor, type FailureReason } from '../../sentinels.ts'
import { declineOf } from './create-intent.ts'
import { newestFirst, type Books } from './books.ts'
import { majorOf, minorOf, refundDetailsOf, type RefundDetails } from './details.ts'
import { invalidRequest, noSuch } from './errors.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { findPayment, newSuffix, suffixOf } from './ids.ts'
import { listPage } from './listing.ts'
import { parseParameters, refundParameters } from './parameters.ts'
import { presentRefund } from './present.ts'

export async function createRefund({ kit }: Books, call: Call): Promise<Answer> {
  const parsed = parseParameters(refundParameters, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const id = input.payment_intent ?? input.charge
  if (id === undefined)
    return invalidRequest('parameter_missing', 'One of charge or payment_intent is needed.')
  const payment = findPayment(kit, call.account.name, id)
  if (payment === undefined) return noSuch('payment_intent', id, 'payment_intent')
  const leftMinor = minorOf(payment) - refundedMinorOf(kit, payment)
  const amountMinor = input.amount ?? leftMinor
  const amount = majorOf(amountMinor, payment.currency)
  const suffix = newSuffix()
  const details: RefundDetails = {
    metadata: input.metadata,
    reason: input.reason,
    payment: payment.reference,
    suffix: suffixOf(payment.providerRef),
  }
  const behaviour = behaviourFor({ amount })
  const outcome = declineOf(call, behaviour) === undefined ? behaviour.outcome : 'fails'
  const plan = planFor({ delayMs: kit.delayMs, outcome, failure })
  return carryOut(kit, call, {
    operation: 'refund',
    reference: idempotencyKeyOf(call) ?? suffix,
    providerRef: `re_${suffix}`,
    method: payment.method,
    amount,
    currency: payment.currency,
    behaviour,
    details,
    start: { state: plan[0]?.state === 'completed' ? 'completed' : 'pending', plan },
    duplicate: (existing) => json(200, presentRefund(existing)),
    check: () => refusalOf(kit, payment, { amountMinor, leftMinor }),
    decline: (reason) =>
      reason === 'insufficient_funds'
        ? invalidRequest(
            'balance_insufficient',
            'Insufficient funds in your Stripe balance to refund this amount.',
          )
        : // Every other refund is accepted and fails later.
          undefined,
    failure,
    accepted: (transaction) => json(200, presentRefund(transaction)),
  })
}

/** A refund from the dashboard does not have the client's metadata. */
export const dashboardRefund: ProtocolParts['dashboardRefund'] = (payment, { id }) => {
  const details: RefundDetails = {
    metadata: {},
    reason: 'requested_by_customer',
    payment: payment.reference,
    suffix: suffixOf(payment.providerRef),
  }
  return { reference: id, providerRef: `re_${newSuffix()}`, details }
}

export function showRefund({ kit }: Books, call: Call): Answer {
  const id = call.params['refund'] ?? ''
  const transaction = kit.transactions.findByProviderRef(call.account.name, id)
  return transaction?.operation === 'refund' ? json(200, presentRefund(transaction)) : noSuch('refund', id)
}

export function listRefunds({ kit }: Books, call: Call): Answer {
  const refunds = [...kit.transactions.values()].filter(({ operation }) => operation === 'refund')
  return listPage(call, {
    transactions: newestFirst(refunds, call.account.name),
    present: presentRefund,
    filters: ['payment_intent', 'charge'],
    matches: (transaction, filters) => {
      const wanted = filters['payment_intent'] ?? filters['charge']
      return wanted === undefined || refundDetailsOf(transaction).suffix === suffixOf(wanted)
    },
  })
}

/** The sum of completed and pending refunds. */
export function refundedMinorOf(kit: Kit, payment: Transaction): number {
  let sum = 0
  for (const transaction of kit.transactions.values()) {
    if (transaction.operation !== 'refund' || transaction.account !== payment.account) continue
    if (transaction.state === 'failed' || transaction.state === 'canceled') continue
    if (refundDetailsOf(transaction).payment === payment.reference) sum += minorOf(transaction)
  }
  return sum
}

/** The page of error codes: `charge_disputed`, "the charge you're attempting to refund has been charged back". */
export const isChargedBack = (kit: Kit, payment: Transaction): boolean =>
  takingMoney(kit.disputes, payment).length > 0

function refusalOf(
  kit: Kit,
  payment: Transaction,
  { amountMinor, leftMinor }: { amountMinor: number; leftMinor: number },
): Answer | undefined {
  if (payment.state === 'reversed' || (payment.state === 'completed' && leftMinor === 0)) {
    return invalidRequest('charge_already_refunded', `Charge has already been refunded.`)
  }
  if (payment.state !== 'completed') {
    return invalidRequest(
      'payment_intent_unexpected_state',
      'This PaymentIntent does not have a successful charge to refund.',
    )
  }
  if (isChargedBack(kit, payment)) {
    return invalidRequest('charge_disputed', 'Charge has been charged back; cannot issue a refund.')
  }
  if (amountMinor <= leftMinor) return undefined
  return invalidRequest(
    'amount_too_large',
    'Refund amount is greater than unrefunded amount on charge.',
    'amount',
  )
}

function failure(reason: FailureReason) {
  const code = reason === 'insufficient_funds' ? 'insufficient_funds' : 'declined'
  return { code, message: 'The refund failed.' }
}
