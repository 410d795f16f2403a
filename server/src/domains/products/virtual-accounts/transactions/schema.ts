import type { Readable } from 'node:stream'
import { z } from 'zod'
import { isExactJson } from '../../../../lib/text/json.ts'
import { wireAmount } from '../../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../../lib/requests/paging.ts'
import { dateTime, ok, success, userId, uuid, wireDecimal } from '../../../../lib/requests/wire.ts'
import type { VirtualTransaction, Statement } from './record.ts'

/** Spec 2.9 and 4.13. */
const amountLimit = 1e15
const amount = z.number().positive().lt(amountLimit).meta({ format: 'double', example: 1500.25 })
const text = (limit: number) => z.string().trim().min(1).max(limit).nullish()

export const accountParams = z.object({ account_id: uuid })
export const transactionParams = z.object({ transaction_id: uuid })
export const transactionQuery = z.object({ user_id: userId.optional() })

export const transferBody = z.object({
  to_account_id: uuid,
  amount,
  description: text(500),
  reference: text(255),
})
export const withdrawBody = z.object({
  beneficiary_id: uuid,
  amount,
  description: text(500),
  reference: text(255),
  metadata: z
    .record(z.string().max(100), z.unknown())
    .refine(isExactJson, 'has a number with more digits than JSON can carry: send it as text')
    .nullish(),
})

const types = z.enum(['credit', 'debit'])
const statuses = z.enum(['pending', 'completed', 'failed', 'reversed'])
export const listTransactionsQuery = z.object({
  type: types.optional(),
  status: statuses.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const moment = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .optional()
export const periodQuery = z.object({
  from: moment.meta({ type: 'string', format: 'date-time', description: 'Booked at this time or later.' }),
  to: moment.meta({ type: 'string', format: 'date-time', description: 'Booked before this time.' }),
})
export const statementQuery = periodQuery.extend({
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const virtualTransaction = z
  .object({
    transaction_id: uuid,
    account_id: uuid,
    org_id: uuid,
    user_id: z.string(),
    type: types,
    status: statuses,
    amount: wireDecimal,
    fee: wireDecimal,
    currency: z.string(),
    description: z.string(),
    payment_rail: z.enum(['internal', 'bank_transfer', 'mobile_money', 'card', 'crypto']),
    reference: z.string(),
    balance_after: wireDecimal.nullable().meta({ description: 'Null until it is booked.' }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'VirtualTransaction' })

const pageMeta = z.object({ count: z.int(), last_evaluated_key: z.string().nullable() })
export const transactionResponse = success(virtualTransaction)
export const transactionPage = success(z.array(virtualTransaction)).extend({ meta: pageMeta })
export const statementResponse = success(
  z.object({
    currency: z.string(),
    opening_balance: wireDecimal,
    closing_balance: wireDecimal,
    entries: z.array(virtualTransaction.extend({ entry_no: z.int(), booked_at: dateTime })),
  }),
).extend({ meta: pageMeta })

export const csv = {
  description: 'Comma-separated values with a header row.',
  content: { 'text/csv': { schema: z.custom<Readable>().meta({ type: 'string' }) } },
}

export const toTransaction = (row: VirtualTransaction): z.input<typeof virtualTransaction> => ({
  transaction_id: row.transactionId,
  account_id: row.accountId,
  org_id: row.orgId,
  user_id: row.userId,
  type: row.type,
  status: row.status,
  amount: wireAmount(row.amountMinor, row.currency),
  fee: wireAmount(0n, row.currency),
  currency: row.currency,
  description: row.description,
  payment_rail: row.paymentRail,
  reference: row.reference,
  balance_after: row.balanceAfterMinor === null ? null : wireAmount(row.balanceAfterMinor, row.currency),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toTransactionPage = (page: Page<VirtualTransaction>): z.input<typeof transactionPage> => ({
  ...ok('Virtual transactions, newest first.', page.items.map(toTransaction)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})

export const toStatement = ({
  currency,
  openingMinor,
  closingMinor,
  entries,
}: Statement): z.input<typeof statementResponse> => ({
  ...ok('Entries, in booking order.', {
    currency,
    opening_balance: wireAmount(openingMinor, currency),
    closing_balance: wireAmount(closingMinor, currency),
    entries: entries.items.map((row) => ({
      ...toTransaction(row),
      entry_no: row.entryNo ?? 0,
      booked_at: (row.bookedAt ?? row.updatedAt).toISOString(),
    })),
  }),
  meta: { count: entries.items.length, last_evaluated_key: entries.nextCursor },
})
