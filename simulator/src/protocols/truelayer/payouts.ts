import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Failure, Transaction } from '../../core/transaction.ts'
import type { Kit, ProtocolParts } from '../../protocol.ts'
import { behaviourFor, type FailureReason } from '../../sentinels.ts'
import { findPayment } from './payments.ts'
import {
  detailsOf,
  fingerprintOf,
  idempotencyKeyOf,
  invalidParameters,
  isOwnAccount,
  majorOf,
  minorOf,
  moneySchema,
  notFound,
  parseRequest,
  problem,
  repeated,
  type Details,
} from './wire.ts'

const identifierSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('sort_code_account_number'),
    sort_code: z.string().regex(/^\d{6}$/),
    account_number: z.string().regex(/^\d{8}$/),
  }),
  z.object({ type: z.literal('iban'), iban: z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/) }),
])

const metadata = z.record(z.string().max(40), z.string().max(500)).optional()

const payoutSchema = moneySchema.extend({
  merchant_account_id: z.string(),
  beneficiary: z.object({
    type: z.literal('external_account'),
    account_holder_name: z.string().min(1),
    reference: z.string().min(1).max(18),
    account_identifier: identifierSchema,
  }),
  metadata,
})

const refundSchema = z.object({
  reference: z.string().min(1).max(18),
  amount_in_minor: z.int().positive().optional(),
  metadata,
})

const REASONS: Readonly<Record<FailureReason, string>> = {
  temporarily_unavailable: 'scheme_unavailable',
  insufficient_funds: 'insufficient_funds',
  declined: 'invalid_sort_code_account_number',
  not_approved: 'scheme_error',
  reversed: 'returned',
}
const failure = (reason: FailureReason): Failure => ({ code: REASONS[reason], message: REASONS[reason] })
const decline = (reason: FailureReason): Answer | undefined =>
  reason === 'temporarily_unavailable' ? problem(403, 'Forbidden') : undefined

/** The answer contains only an id; the result follows by webhook. */
export async function createPayout(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(payoutSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const { amount_in_minor, currency, beneficiary, merchant_account_id: merchantAccountId } = parsed.input
  if (!isOwnAccount(call, merchantAccountId, currency)) return invalidParameters('merchant_account_id')
  const { account_identifier: identifier, reference } = beneficiary
  const id = randomUUID()
  const answer = { id }
  const fingerprint = fingerprintOf(call)
  const details: Details = {
    fingerprint,
    answer,
    metadata: parsed.input.metadata,
    merchantAccountId,
    reference,
  }
  const amount = majorOf(amount_in_minor, currency)
  const account = identifier.type === 'iban' ? identifier.iban : identifier.account_number
  return carryOut(kit, call, {
    operation: 'payout',
    reference: idempotencyKeyOf(call) ?? id,
    providerRef: id,
    method: 'bank_transfer',
    amount,
    currency,
    behaviour: behaviourFor({ amount, account }),
    details,
    duplicate: (existing) => repeated(call, existing, 202),
    decline,
    failure,
    accepted: () => json(202, answer),
  })
}

export function showPayout(kit: Kit, call: Call): Answer {
  const payout = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  if (payout?.operation !== 'payout') return notFound()
  return json(200, { merchant_account_id: detailsOf(payout).merchantAccountId, ...present(payout) })
}

const STATUSES: Readonly<Record<Transaction['state'], string>> = {
  action_required: 'pending',
  pending: 'authorized',
  completed: 'executed',
  failed: 'failed',
  canceled: 'failed',
  reversed: 'failed',
}

function present(transaction: Transaction): object {
  const { metadata: kept, reference } = detailsOf(transaction)
  return {
    id: transaction.providerRef,
    amount_in_minor: minorOf(transaction),
    currency: transaction.currency,
    reference,
    metadata: kept,
    status: STATUSES[transaction.state],
    created_at: transaction.createdAt,
    ...(transaction.failure && { failure_reason: transaction.failure.code }),
  }
}

export async function createRefund(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(refundSchema, call)
  if ('refusal' in parsed) return parsed.refusal
  const payment = findPayment(kit, call)
  if (payment === undefined) return notFound()
  const { reference, metadata: kept } = parsed.input
  const left = leftOf(kit, payment)
  const amountInMinor = parsed.input.amount_in_minor ?? left
  const id = randomUUID()
  const answer = { id }
  const details: Details = {
    fingerprint: fingerprintOf(call),
    answer,
    metadata: kept,
    merchantAccountId: detailsOf(payment).merchantAccountId,
    reference,
    paymentId: payment.providerRef,
  }
  const amount = majorOf(amountInMinor, payment.currency)
  return carryOut(kit, call, {
    operation: 'refund',
    reference: idempotencyKeyOf(call) ?? id,
    providerRef: id,
    method: 'bank_transfer',
    amount,
    currency: payment.currency,
    behaviour: behaviourFor({ amount }),
    details,
    duplicate: (existing) => repeated(call, existing, 202),
    check: () => {
      if (payment.state !== 'completed') return problem(400, 'Invalid State')
      return amountInMinor <= left ? undefined : invalidParameters('amount_in_minor')
    },
    decline,
    failure,
    accepted: () => json(202, answer),
  })
}

/** The Console refunds without the client's metadata. */
export const dashboardRefund: ProtocolParts['dashboardRefund'] = (payment, { id }) => {
  const { merchantAccountId } = detailsOf(payment)
  const details: Details = {
    fingerprint: id,
    answer: { id },
    metadata: {},
    merchantAccountId,
    reference: 'Console',
    paymentId: payment.providerRef,
  }
  return { reference: id, providerRef: id, details }
}

const refundsOf = (kit: Kit, payment: Transaction): Transaction[] =>
  [...kit.transactions.values()].filter(
    (one) =>
      one.operation === 'refund' &&
      one.account === payment.account &&
      detailsOf(one).paymentId === payment.providerRef,
  )

const leftOf = (kit: Kit, payment: Transaction): number =>
  refundsOf(kit, payment)
    .filter(({ state }) => state === 'pending' || state === 'completed')
    .reduce((left, one) => left - minorOf(one), minorOf(payment))

export function listRefunds(kit: Kit, call: Call): Answer {
  const payment = findPayment(kit, call)
  return payment === undefined ? notFound() : json(200, { items: refundsOf(kit, payment).map(present) })
}

export function showRefund(kit: Kit, call: Call): Answer {
  const payment = findPayment(kit, call)
  const refund = payment && refundsOf(kit, payment).find((one) => one.providerRef === call.params['refundId'])
  return refund === undefined ? notFound() : json(200, present(refund))
}

const PAGE_SIZE = 20

/** The incoming and outgoing transactions of the account. */
export function listTransactions(kit: Kit, call: Call): Answer {
  const { from = '', to = '', cursor = '0' } = call.query
  if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) return invalidParameters('from')
  const rows = [...kit.transactions.values()].filter(
    (one) =>
      one.account === call.account.name &&
      detailsOf(one).merchantAccountId === call.params['id'] &&
      (one.operation === 'collect' ? one.state === 'completed' : one.state !== 'failed') &&
      Date.parse(one.updatedAt) >= Date.parse(from) &&
      Date.parse(one.updatedAt) <= Date.parse(to),
  )
  const end = Number(cursor) + PAGE_SIZE
  const pagination = end < rows.length ? { next_cursor: String(end) } : {}
  return json(200, { items: rows.slice(Number(cursor), end).map(presentRow), pagination })
}

function presentRow(transaction: Transaction): object {
  const { operation, state, providerRef, currency, createdAt, updatedAt } = transaction
  const money = { amount_in_minor: minorOf(transaction), currency }
  if (operation === 'collect') {
    const type = 'merchant_account_payment'
    return {
      type,
      id: randomUUID(),
      ...money,
      status: 'settled',
      settled_at: updatedAt,
      payment_id: providerRef,
    }
  }
  const common = { id: providerRef, ...money, created_at: createdAt, status: STATUSES[state] }
  if (operation === 'refund')
    return { type: 'refund', ...common, refund_id: providerRef, payment_id: detailsOf(transaction).paymentId }
  const type = state === 'completed' ? 'executed_payout' : 'pending_payout'
  return { type, ...common, payout_id: providerRef, context_code: 'withdrawal' }
}
