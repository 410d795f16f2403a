import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import { majorFromMinor, scaledAmount, withoutTrailingZeros } from '../../core/money.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit, ProtocolParts } from '../../protocol.ts'
import { amountProblem, statusOfNetwork } from './check-payment.ts'
import { failureAnswer, failureOf, rejection, rejectionCodeOf } from './failures.ts'
import { networkOf } from './networks.ts'
import { startInQueue } from './payouts.ts'
import { AMOUNT_SCALE, detailsOf } from './present.ts'
import { flattenMetadata, parseRequest, refundSchema, type Details } from './schema.ts'
import { behaviourOf } from './test-numbers.ts'

export async function initiateRefund(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(refundSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { refundId, depositId, clientReferenceId, ...input } = parsed.input
  const metadata = flattenMetadata(input.metadata)
  if (metadata === undefined) return failureAnswer(400, 'DUPLICATE_METADATA_FIELD')
  if (input.amount !== undefined && input.currency === undefined) {
    return failureAnswer(400, 'MISSING_PARAMETER', 'Missing parameter: currency')
  }
  const account = call.account.name
  const deposit = kit.transactions.find({ account, operation: 'collect', reference: depositId })
  if (deposit === undefined) return rejection({ refundId }, 'NOT_FOUND')

  const { phoneNumber, provider, country } = detailsOf(deposit)
  const amount = input.amount ?? shortest(leftToRefund(deposit, refundsOf(kit, deposit)))
  const enqueued = statusOfNetwork(call.account, provider) === 'DELAYED'
  const details: Details = {
    phoneNumber,
    provider,
    country,
    metadata,
    clientReferenceId,
    depositId,
    enqueued,
  }
  return carryOut(kit, call, {
    operation: 'refund',
    reference: refundId,
    method: 'mobile_money',
    amount,
    currency: deposit.currency,
    behaviour: behaviourOf({ operation: 'refund', amount, phoneNumber }),
    details,
    ...(enqueued && { start: startInQueue() }),
    duplicate: (existing) => initiationAnswer(existing, 'DUPLICATE_IGNORED'),
    check: () => {
      const code = problemOf(deposit, refundsOf(kit, deposit), { amount, currency: input.currency })
      return code === undefined ? undefined : rejection({ refundId }, code)
    },
    decline: (reason) => {
      const code = rejectionCodeOf('refund', reason)
      return code === undefined ? undefined : rejection({ refundId }, code)
    },
    failure: (reason) => failureOf('refund', reason),
    accepted: (transaction) => initiationAnswer(transaction, 'ACCEPTED'),
  })
}

export const dashboardRefund: ProtocolParts['dashboardRefund'] = (deposit, { id }) => {
  const { phoneNumber, provider, country } = detailsOf(deposit)
  const details: Details = { phoneNumber, provider, country, metadata: {}, depositId: deposit.reference }
  return { reference: id, providerRef: id, details }
}

interface RefundTerms {
  readonly amount: string
  readonly currency: string | undefined
}

/** pawaPay's rejection code for a refund that does not match its deposit. */
function problemOf(
  deposit: Transaction,
  refunds: readonly Transaction[],
  terms: RefundTerms,
): string | undefined {
  if (deposit.state !== 'completed') return 'INVALID_STATE'
  if (terms.currency !== undefined && terms.currency !== deposit.currency) return 'INVALID_CURRENCY'
  if (refunds.some((refund) => refund.state === 'pending')) return 'REFUND_IN_PROGRESS'
  const left = leftToRefund(deposit, refunds)
  if (left === 0n) return 'DEPOSIT_ALREADY_REFUNDED'
  const network = networkOf(detailsOf(deposit).provider)
  const problem = network && amountProblem(network, { operation: 'REFUND', amount: terms.amount })
  if (problem !== undefined) return problem
  return scaled(terms.amount) > left ? 'AMOUNT_TOO_LARGE' : undefined
}

function refundsOf(kit: Kit, deposit: Transaction): Transaction[] {
  return [...kit.transactions.values()].filter(
    (transaction) =>
      transaction.operation === 'refund' &&
      transaction.account === deposit.account &&
      transaction.details['depositId'] === deposit.reference,
  )
}

function leftToRefund(deposit: Transaction, refunds: readonly Transaction[]): bigint {
  const refunded = refunds.filter((refund) => refund.state === 'completed')
  return refunded.reduce((left, refund) => left - scaled(refund.amount), scaled(deposit.amount))
}

function scaled(amount: string): bigint {
  return scaledAmount(amount, AMOUNT_SCALE) ?? 0n
}

/** pawaPay's pattern allows no trailing zeros. */
function shortest(amountScaled: bigint): string {
  return withoutTrailingZeros(majorFromMinor(amountScaled, AMOUNT_SCALE))
}

function initiationAnswer(transaction: Transaction, status: 'ACCEPTED' | 'DUPLICATE_IGNORED'): Answer {
  return json(200, { refundId: transaction.reference, status, created: transaction.createdAt })
}
