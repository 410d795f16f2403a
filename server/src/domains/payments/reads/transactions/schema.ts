import { z } from 'zod'
import { mask, maskEmail } from '../../../../lib/text/masking.ts'
import { wireAmount } from '../../../../lib/money/money.ts'
import { pageLimit } from '../../../../lib/requests/paging.ts'
import { countryCode, dateTime, ok, success, uuid, wireDecimal } from '../../../../lib/requests/wire.ts'
import { feeOf } from '../fees/rules.ts'
import type { PrivateDetails } from '../../record.ts'
import { statuses } from '../../lifecycle/rules.ts'
import { direction, method, moment, toFeeFields } from '../../schema.ts'
import type { TransactionPage } from './list-transactions.ts'
import type { ListedTransaction, TransactionFilters } from './record.ts'

const isStatus = (text: string): boolean => statuses.some((status) => status === text)
const statusText = z
  .string()
  .max(200)
  .refine(
    (text) => text.split(',').every(isStatus),
    'must be one status or several, separated by commas, such as failed,canceled',
  )
  .meta({ example: 'failed,canceled' })
const amount = z
  .string()
  .max(40)
  .regex(/^\d{1,18}(?:\.\d{1,18})?$/, 'must be a decimal, such as 1500 or 99.95')
  .meta({ example: '1500' })

export const listTransactionsQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({
      description:
        "The beginning of a payment's id, of your reference or of the provider's; an amount; or words of the name of the payer or recipient. With `personal-data:read` also a whole e-mail address or phone number.",
    })
    .optional(),
  status: z.union([z.enum(statuses), statusText, z.array(statusText).min(1).max(statuses.length)]).optional(),
  direction: direction.optional(),
  method: method.optional(),
  country: countryCode.optional(),
  currency: z.string().max(10).optional(),
  min_amount: amount.meta({ description: 'In the currency that `currency` names.' }).optional(),
  max_amount: amount.meta({ description: 'In the currency that `currency` names.' }).optional(),
  provider: z.string().max(40).optional(),
  client_reference: z.string().max(255).optional(),
  beneficiary_id: uuid.optional(),
  updated_since: moment.optional(),
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
    country: z.string(),
    initiated_by: z.string(),
    payer_name: z.string().nullable(),
    payer_email: z.string().nullable(),
    payer_phone: z.string().nullable(),
    beneficiary_id: uuid.nullable(),
    beneficiary_name: z.string().nullable(),
    beneficiary_account: z.string().nullable(),
    failure_code: z.string().nullable(),
    failure_message: z.string().nullable(),
    personal_data_erased_at: dateTime.nullable(),
  })
  .meta({ id: 'Transaction' })

export const transactionPage = success(z.array(transaction)).extend({
  meta: z.object({
    count: z.int(),
    last_evaluated_key: z.string().nullable(),
    partial: z
      .boolean()
      .meta({ description: 'Whether `q` is the beginning of more references than were searched.' }),
  }),
})

export const toFilters = (query: z.infer<typeof listTransactionsQuery>): TransactionFilters => ({
  q: query.q,
  statuses: query.status === undefined ? undefined : toStatuses(query.status),
  direction: query.direction,
  paymentMethod: query.method,
  country: query.country,
  currency: query.currency,
  minAmount: query.min_amount,
  maxAmount: query.max_amount,
  provider: query.provider,
  clientReference: query.client_reference,
  beneficiaryId: query.beneficiary_id,
  updatedSince: toMoment(query.updated_since),
  from: toMoment(query.from),
  to: toMoment(query.to),
})

const toMoment = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)

const toStatuses = (status: string | readonly string[]): NonNullable<TransactionFilters['statuses']> => {
  const names = new Set([status].flat().flatMap((text) => text.split(',')))
  return statuses.filter((name) => names.has(name))
}

/** Lists show numbers and addresses masked to everybody; the record shows them to those who may see them. */
const toTransaction = ({ row, details }: ListedTransaction): z.input<typeof transaction> => ({
  transaction_id: row.payment_id,
  payment_id: row.payment_id,
  org_id: row.org_id,
  user_id: row.on_behalf_of ?? row.user_id,
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
  country: row.country,
  initiated_by: row.user_id,
  ...toPayer(row.direction, details),
  beneficiary_id: row.beneficiary_id,
  beneficiary_name: details.payee?.name ?? null,
  beneficiary_account: maskIf(accountOf(details.payee)),
  failure_code: row.failure_code,
  failure_message: row.failure_message,
  personal_data_erased_at: row.erased_at?.toISOString() ?? null,
})

const toPayer = (paymentDirection: string, { payer, mobileMoney }: PrivateDetails) => ({
  payer_name: payer?.name ?? null,
  payer_email: typeof payer?.email === 'string' ? maskEmail(payer.email) : null,
  payer_phone: maskIf(
    payer?.phone ?? (paymentDirection === 'inbound' ? mobileMoney?.phoneNumber : undefined),
  ),
})

const accountOf = (payee: PrivateDetails['payee']): string | undefined =>
  payee?.bankAccount?.accountNumber ??
  payee?.bankAccount?.iban ??
  payee?.mobileMoney?.phoneNumber ??
  payee?.wallet?.address

const maskIf = (text: string | null | undefined): string | null =>
  text === undefined || text === null ? null : mask(text)

export const toTransactionPage = (page: TransactionPage): z.input<typeof transactionPage> => ({
  ...ok('Transactions, newest first.', page.items.map(toTransaction)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor, partial: page.isPartial },
})
