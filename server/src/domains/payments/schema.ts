import { z } from 'zod'
import { findConnector } from '../../connectors/registry.ts'
import { rawNumber } from '../../lib/text/json.ts'
import { wireAmount, type Money } from '../../lib/money/money.ts'
import type { Caller } from '../../lib/requests/access.ts'
import { dateTime, uuid, wireDecimal } from '../../lib/requests/wire.ts'
import type { OpenedPayment } from './reads/get-payment.ts'
import type { LoadedPayment, PrivateDetails } from './record.ts'
import { hiddenFrom, removeFrom } from './reads/remove-references.ts'
import { statuses } from './lifecycle/rules.ts'

export const direction = z.enum(['inbound', 'outbound', 'external'])
export const method = z.enum(['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'])

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
    provider_data: anyObject.meta({
      description:
        'reference: the one that we gave the provider; null where an account of the installation carries the payment.',
    }),
    payout_initiated: z.boolean(),
    payout_id: z.string().nullable(),
    instructions: z.string().nullable(),
    comments: z.string().nullable(),
    client_reference: z.string().nullable(),
    description: z.string().nullable(),
    refunded_amount: wireDecimal,
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    on_hold: z.boolean().meta({
      description:
        'Whether a check or a suspension keeps it from being sent. Nothing was sent; it goes on or ends by itself.',
    }),
    personal_data_erased_at: dateTime
      .nullable()
      .meta({ description: 'When the data of its people was erased; the fields about them are empty then.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'PaymentRecord' })

type PaymentRecord = z.input<typeof paymentRecord>

export function toPaymentRecord(caller: Caller, opened: OpenedPayment): PaymentRecord {
  const { payment, attempts, details } = opened
  const hidden = hiddenFrom(caller, attempts)
  const shown = (text: string | null): string | null => text && removeFrom(text, hidden)
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
    bank_account: toBank(bankIn(payment, details)),
    card_details: { ...payment.card },
    mobile_money_details: toMobileMoney(details.mobileMoney ?? details.payee?.mobileMoney),
    payer_details: { ...details.payer },
    recipient_info: recipientOf(payment, details),
    metadata: { ...payment.metadata },
    user_metadata: { ...payment.metadata },
    webhook_metadata: payment.eventCount === 0 ? {} : { sequence: payment.eventCount },
    ...toFeeFields(payment.fee),
    provider: payment.provider,
    provider_payment_id: shown(payment.providerPaymentId),
    provider_status: payment.providerStatus,
    provider_data: providerDataOf(attempts, shown),
    payout_initiated: wasSent,
    payout_id: wasSent ? payment.paymentId : null,
    instructions: shown(instructionsOf(opened)),
    comments: payment.comments,
    client_reference: payment.clientReference,
    description: payment.description,
    refunded_amount:
      payment.refundedMinor === 0n ? rawNumber('0.0') : wireAmount(payment.refundedMinor, source.currency),
    failure:
      payment.failureCode === null
        ? null
        : { code: payment.failureCode, message: shown(payment.failureMessage) ?? '' },
    on_hold: opened.onHold,
    personal_data_erased_at: payment.erasedAt?.toISOString() ?? null,
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

const providerDataOf = (
  attempts: LoadedPayment['attempts'],
  shown: (text: string) => string | null,
): Record<string, unknown> => {
  const last = attempts.at(-1)
  return last
    ? {
        reference: shown(last.reference),
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

/** A ramp that collects fiat shows the account from which it does. */
const bankIn = ({ direction: way }: LoadedPayment['payment'], details: PrivateDetails) =>
  details.bankAccount ?? details.payee?.bankAccount ?? (way === 'external' ? details.payerAccount : undefined)

const toMobileMoney = (account: PrivateDetails['mobileMoney']): Record<string, unknown> =>
  account ? { provider: account.network, phone_number: account.phoneNumber } : {}

/** Of a ramp: the network, and the wallet that gets the crypto. */
const recipientOf = (
  { direction: way }: LoadedPayment['payment'],
  { payee, wallet }: PrivateDetails,
): Record<string, unknown> => ({
  ...(payee && { name: payee.name }),
  ...(way === 'external' && wallet && { crypto_network: wallet.network }),
  ...(wallet && wallet.address !== null && { wallet_address: wallet.address }),
})

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
