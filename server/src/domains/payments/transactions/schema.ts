import { z } from 'zod'
import { wireAmount } from '../../../lib/money.ts'
import { pageLimit, type Page } from '../../../lib/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/wire.ts'
import { statuses } from '../rules.ts'
import type { TransactionFilters, TransactionRow } from './store.ts'

const directions = z.enum(['inbound', 'outbound', 'external'])
const methods = z.enum(['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'])
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])

export const listTransactionsQuery = z.object({
  status: z.enum(statuses).optional(),
  direction: directions.optional(),
  method: methods.optional(),
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
    status: z.enum(statuses),
    direction: directions,
    payment_method: methods,
    amount: wireDecimal,
    currency: z.string(),
    target_amount: wireDecimal,
    target_currency: z.string(),
    provider: z.string().nullable(),
    client_reference: z.string().nullable(),
    description: z.string().nullable(),
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
  user_id: row.user_id,
  status: transaction.shape.status.parse(row.status),
  direction: directions.parse(row.direction),
  payment_method: methods.parse(row.payment_method),
  amount: wireAmount(BigInt(row.amount_minor), row.currency),
  currency: row.currency,
  target_amount: wireAmount(BigInt(row.target_amount_minor), row.target_currency),
  target_currency: row.target_currency,
  provider: row.provider,
  client_reference: row.client_reference,
  description: row.description,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const toTransactionPage = (page: Page<TransactionRow>): z.input<typeof transactionPage> => ({
  ...ok('Transactions, newest first.', page.items.map(toTransaction)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
