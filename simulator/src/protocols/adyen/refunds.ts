import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import { takingMoney } from '../../core/dispute.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit, ProtocolParts } from '../../protocol.ts'
import { behaviourFor } from '../../sentinels.ts'
import { detailsOf, type Details } from './payments.ts'
import {
  amountOf,
  amountSchema,
  idempotencyKeyOf,
  invalidField,
  isOwnMerchant,
  majorOf,
  newPspReference,
  parseRequest,
  refused,
  wrongMerchant,
} from './wire.ts'

const refundSchema = z.object({
  amount: amountSchema,
  merchantAccount: z.string(),
  reference: z.string().max(80).optional(),
})

const failure = () => ({ code: 'refund', message: 'Insufficient balance on payment' })

/** Every refund is accepted; a webhook reports whether the remaining amount suffices. */
export async function createRefund(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(refundSchema, call, invalidField)
  if ('refusal' in parsed) return parsed.refusal
  const { amount, merchantAccount, reference } = parsed.input
  if (!isOwnMerchant(call, merchantAccount)) return wrongMerchant()
  const paymentPspReference = call.params['pspReference'] ?? ''
  const payment = kit.transactions.findByProviderRef(call.account.name, paymentPspReference)
  if (payment?.operation !== 'collect')
    return refused(422, '167', 'Original pspReference required for this operation')
  const pspReference = newPspReference()
  const common = { merchantAccount, paymentPspReference, pspReference, amount }
  const answer = { ...common, status: 'received', ...(reference !== undefined && { reference }) }
  const details: Details = {
    merchantReference: reference ?? detailsOf(payment).merchantReference,
    merchantAccount,
    answer,
    originalReference: paymentPspReference,
  }
  const major = majorOf(amount)
  const behaviour = behaviourFor({ amount: major })
  const isCovered = amount.value <= leftOf(kit, payment)
  return carryOut(kit, call, {
    operation: 'refund',
    reference: idempotencyKeyOf(call) ?? pspReference,
    providerRef: pspReference,
    method: 'card',
    amount: major,
    currency: amount.currency,
    behaviour: isCovered ? behaviour : { ...behaviour, outcome: 'fails' },
    details,
    duplicate: (existing) => json(201, detailsOf(existing).answer),
    decline: () => undefined,
    failure,
    accepted: () => json(201, answer),
  })
}

/** A refund from the Customer Area repeats the reference of its payment. */
export const dashboardRefund: ProtocolParts['dashboardRefund'] = (payment, { id }) => {
  const { merchantReference, merchantAccount } = detailsOf(payment)
  const details: Details = {
    merchantReference,
    merchantAccount,
    answer: {},
    originalReference: payment.providerRef,
  }
  return { reference: id, providerRef: newPspReference(), details }
}

export const isChargedBack = (kit: Kit, payment: Transaction): boolean =>
  takingMoney(kit.disputes, payment).length > 0

/** A chargeback takes its amount from the balance of the payment, so nothing of it is left to refund. */
function leftOf(kit: Kit, payment: Transaction): number {
  if (payment.state !== 'completed') return 0
  const refunds = [...kit.transactions.values()]
    .filter((one) => one.operation === 'refund' && one.account === payment.account && one.state !== 'failed')
    .filter((one) => detailsOf(one).originalReference === payment.providerRef)
  return [...refunds, ...takingMoney(kit.disputes, payment)].reduce(
    (left, one) => left - amountOf(one).value,
    amountOf(payment).value,
  )
}
