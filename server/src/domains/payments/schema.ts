import { z } from 'zod'
import { findConnector } from '../../connectors/registry.ts'
import { rawNumber } from '../../lib/json.ts'
import { wireAmount, type Money } from '../../lib/money.ts'
import { pageLimit, type Page } from '../../lib/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../lib/wire.ts'
import { feeOf } from './fees/rules.ts'
import type { LoadedPayment, PrivateDetails, TransactionFilters, TransactionRow } from './record.ts'
import { statuses } from './rules.ts'

const direction = z.enum(['inbound', 'outbound', 'external'])
const method = z.enum(['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'])

export const paymentParams = z.object({ payment_id: uuid })
export const transactionParams = z.object({ transaction_id: uuid })

export const reviewBody = z.object({
  decision: z.enum(['approve', 'reject']),
  org_rate_id: uuid
    .nullish()
    .meta({ description: 'The rate that you accept when the locked one has expired.' }),
  comments: z.string().trim().min(1).max(2000).nullish(),
})

export const confirmBody = z.object({
  outcome: z.enum(['completed', 'failed']),
  comments: z.string().trim().min(1).max(2000).nullish(),
})

/** Spec 2.5: the bare payment record. Fields that the spec calls an object or a string are never null, but empty. */
const anyObject = z.record(z.string(), z.unknown())

export const paymentRecord = z
  .object({
    payment_id: uuid,
    amount: wireDecimal,
    currency: z.string(),
    user_id: z.string().meta({ description: 'The member that the payment is for.' }),
    initiated_by: z.string().meta({ description: 'The member whose credential started it.' }),
    status: z.enum(statuses),
    direction,
    payment_method: method,
    org_id: uuid.nullable(),
    beneficiary_id: z.string(),
    transaction_id: uuid.nullable(),
    target_amount: wireDecimal.nullable(),
    target_currency: z.string().nullable(),
    from_currency: z.string().nullable(),
    region_id: z.string().nullable(),
    payment_path_method: z.enum(['direct', 'intermediary', 'third_party']).nullable(),
    bank_account: anyObject,
    card_details: anyObject,
    mobile_money_details: anyObject,
    payer_details: anyObject,
    recipient_info: anyObject,
    metadata: anyObject,
    user_metadata: anyObject,
    webhook_metadata: anyObject.meta({
      description: 'sequence: the number of the latest event about the payment.',
    }),
    fee_ids: z.array(z.string()),
    total_fees: wireDecimal.nullable(),
    fees_currency: z.string().nullable(),
    provider: z.string().nullable(),
    provider_payment_id: z.string().nullable(),
    provider_status: z.string().nullable(),
    provider_data: anyObject,
    payout_initiated: z.boolean(),
    payout_id: z.string().nullable(),
    instructions: z.string().nullable(),
    comments: z.string().nullable(),
    client_reference: z.string().nullable(),
    description: z.string().nullable(),
    refunded_amount: wireDecimal,
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'PaymentRecord' })

type PaymentRecord = z.input<typeof paymentRecord>

export function toPaymentRecord(loaded: LoadedPayment, details: PrivateDetails): PaymentRecord {
  const { payment, attempts } = loaded
  const { source, target } = payment
  const isOutbound = payment.direction === 'outbound'
  const wasSent =
    isOutbound && attempts.some((attempt) => ['accepted', 'succeeded', 'unknown'].includes(attempt.state))
  return {
    payment_id: payment.paymentId,
    amount: wireAmount(source.amountMinor, source.currency),
    currency: source.currency,
    user_id: payment.onBehalfOf ?? payment.userId,
    initiated_by: payment.userId,
    status: payment.status,
    direction: payment.direction,
    payment_method: payment.method,
    org_id: payment.orgId,
    beneficiary_id: payment.beneficiaryId ?? '',
    transaction_id: payment.paymentId,
    target_amount: wireAmount(target.amountMinor, target.currency),
    target_currency: target.currency,
    from_currency: source.currency,
    region_id: payment.country,
    payment_path_method: pathMethodOf(payment),
    bank_account: toBank(details.bankAccount ?? details.payee?.bankAccount),
    card_details: { ...payment.card },
    mobile_money_details: details.mobileMoney
      ? { provider: details.mobileMoney.network, phone_number: details.mobileMoney.phoneNumber }
      : {},
    payer_details: { ...details.payer },
    recipient_info: details.payee ? { name: details.payee.name } : {},
    metadata: { ...payment.metadata },
    user_metadata: { ...payment.metadata },
    webhook_metadata: payment.eventCount === 0 ? {} : { sequence: payment.eventCount },
    ...toFeeFields(payment.fee),
    provider: payment.provider,
    provider_payment_id: payment.providerPaymentId,
    provider_status: payment.providerStatus,
    provider_data: providerDataOf(attempts),
    payout_initiated: wasSent,
    payout_id: wasSent ? payment.paymentId : null,
    instructions: instructionsOf(loaded),
    comments: payment.comments,
    client_reference: payment.clientReference,
    description: payment.description,
    refunded_amount:
      payment.refundedMinor === 0n ? rawNumber('0.0') : wireAmount(payment.refundedMinor, source.currency),
    failure:
      payment.failureCode === null
        ? null
        : { code: payment.failureCode, message: payment.failureMessage ?? '' },
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
  }
}

/** A ramp that one provider carries out alone goes by a third party; other exchanges go by our own books. */
function pathMethodOf({ direction: way, provider, source, target }: LoadedPayment['payment']) {
  if (way === 'external' && provider !== null && findConnector(provider)) return 'third_party'
  return source.currency === target.currency ? 'direct' : 'intermediary'
}

/** The fee of a payment as records, lists and events show it: the ids are those of the fee schedules. */
export const toFeeFields = (fee: (Money & { scheduleId: string }) | null) => ({
  fee_ids: fee ? [fee.scheduleId] : [],
  total_fees: fee && wireAmount(fee.amountMinor, fee.currency),
  fees_currency: fee && fee.currency,
})

const providerDataOf = (attempts: LoadedPayment['attempts']): Record<string, unknown> => {
  const last = attempts.at(-1)
  return last
    ? {
        reference: last.reference,
        attempts: attempts.length,
        // Two people decided the outcome, not the provider.
        ...(last.resolutionId !== null && { resolution_id: last.resolutionId }),
      }
    : {}
}

const toBank = (bank: PrivateDetails['bankAccount']): Record<string, unknown> =>
  bank
    ? {
        account_number: bank.accountNumber ?? null,
        bank_code: bank.bankCode ?? null,
        bank_name: bank.bankName ?? null,
        ...(bank.accountName !== undefined && { account_name: bank.accountName }),
      }
    : {}

/** The next action as one line of text; the initiation's response has it field by field. */
function instructionsOf({ payment }: LoadedPayment): string | null {
  const action = payment.nextAction
  if (!action) return null
  switch (action.type) {
    case 'redirect':
      return `Open ${action.url}`
    case 'pay_by_link':
      return `Open ${action.paymentLink}`
    case 'bank_transfer':
    case 'crypto_transfer':
      return Object.entries(action.instructions)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ')
    case 'wait':
    case 'collect_otp':
      return action.message ?? null
    case 'check_status':
      return null
  }
}

export const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

export const listTransactionsQuery = z.object({
  status: z.enum(statuses).optional(),
  direction: direction.optional(),
  method: method.optional(),
  currency: z.string().max(10).optional(),
  provider: z.string().max(40).optional(),
  client_reference: z.string().max(255).optional(),
  from: moment.optional(),
  to: moment.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const transaction = z
  .object({
    transaction_id: uuid,
    payment_id: uuid,
    org_id: uuid,
    user_id: z.string(),
    initiated_by: z.string(),
    status: z.enum(statuses),
    direction,
    payment_method: method,
    amount: wireDecimal,
    currency: z.string(),
    target_amount: wireDecimal,
    target_currency: z.string(),
    provider: z.string().nullable(),
    client_reference: z.string().nullable(),
    description: z.string().nullable(),
    fee_ids: z.array(z.string()),
    total_fees: wireDecimal.nullable(),
    fees_currency: z.string().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Transaction' })

export const transactionPage = success(z.array(transaction)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toFilters = (query: z.infer<typeof listTransactionsQuery>): TransactionFilters => ({
  status: query.status,
  direction: query.direction,
  paymentMethod: query.method,
  currency: query.currency,
  provider: query.provider,
  clientReference: query.client_reference,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
})

const toTransaction = (row: TransactionRow): z.input<typeof transaction> => ({
  transaction_id: row.payment_id,
  payment_id: row.payment_id,
  org_id: row.org_id,
  user_id: row.on_behalf_of ?? row.user_id,
  initiated_by: row.user_id,
  status: transaction.shape.status.parse(row.status),
  direction: direction.parse(row.direction),
  payment_method: method.parse(row.payment_method),
  amount: wireAmount(BigInt(row.amount_minor), row.currency),
  currency: row.currency,
  target_amount: wireAmount(BigInt(row.target_amount_minor), row.target_currency),
  target_currency: row.target_currency,
  provider: row.provider,
  client_reference: row.client_reference,
  description: row.description,
  ...toFeeFields(feeOf(row)),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const toTransactionPage = (page: Page<TransactionRow>): z.input<typeof transactionPage> => ({
  ...ok('Transactions, newest first.', page.items.map(toTransaction)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
