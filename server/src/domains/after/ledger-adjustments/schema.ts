import { z } from 'zod'
import { isCrypto, isFiat, parseMinor, wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { Adjustment, NewAdjustment } from './record.ts'

const amountLimit = 1e15
const accountName = z.string().min(1).max(200)
const isKnown = (currency: string): boolean => isFiat(currency) || isCrypto(currency)

export const adjustmentBody = z
  .object({
    debit: accountName.meta({ description: 'The account that loses the amount.', example: 'available' }),
    credit: accountName.meta({ description: 'The account that gets it.', example: 'fees' }),
    currency: z.string().refine(isKnown, 'must be a known currency').meta({ example: 'NGN' }),
    amount: z.number().positive().lt(amountLimit).meta({ example: 1500.25 }),
    reason: z
      .string()
      .trim()
      .min(10)
      .max(4000)
      .meta({ example: 'The statement of March shows a bank charge.' }),
    payment_id: uuid.nullish(),
    exception_id: uuid
      .nullish()
      .meta({ description: 'The exception that this settles; the approval closes it.' }),
    org_id: uuid.nullish().meta({ description: 'The organisation, where the operator asks for it.' }),
  })
  .refine(({ currency, amount }) => isKnown(currency) && parseMinor(String(amount), currency) !== undefined, {
    path: ['amount'],
    message: 'has more decimals than the currency has',
  })
  .refine(({ debit, credit }) => debit !== credit, { path: ['credit'], message: 'is the same as debit' })

export const listAdjustmentsQuery = z.object({
  payment_id: uuid.optional(),
  org_id: uuid.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const adjustment = z
  .object({
    adjustment_id: uuid,
    org_id: uuid,
    debit: z.string(),
    credit: z.string(),
    currency: z.string(),
    amount: wireDecimal,
    reason: z.string(),
    payment_id: uuid.nullable(),
    proposed_by: z.string(),
    approved_by: z.string(),
    created_at: dateTime,
  })
  .meta({ id: 'LedgerAdjustment' })

export const adjustmentPage = success(z.array(adjustment)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

/** The payload of the change request. */
export const proposal = z.object({
  debit: z.string(),
  credit: z.string(),
  currency: z.string(),
  amount_minor: z.string(),
  reason: z.string(),
  payment_id: uuid.nullable(),
  exception_id: uuid.nullable(),
})

export const fromProposal = (asked: z.infer<typeof proposal>): NewAdjustment => ({
  debit: asked.debit,
  credit: asked.credit,
  currency: asked.currency,
  amountMinor: BigInt(asked.amount_minor),
  reason: asked.reason,
  paymentId: asked.payment_id,
  exceptionId: asked.exception_id,
})

export const toProposal = (asked: NewAdjustment): z.infer<typeof proposal> => ({
  debit: asked.debit,
  credit: asked.credit,
  currency: asked.currency,
  amount_minor: asked.amountMinor.toString(),
  reason: asked.reason,
  payment_id: asked.paymentId,
  exception_id: asked.exceptionId,
})

export const fromBody = (body: z.infer<typeof adjustmentBody>): NewAdjustment => ({
  debit: body.debit,
  credit: body.credit,
  currency: body.currency,
  amountMinor: parseMinor(String(body.amount), body.currency) ?? 0n,
  reason: body.reason,
  paymentId: body.payment_id ?? null,
  exceptionId: body.exception_id ?? null,
})

const toView = (row: Adjustment): z.input<typeof adjustment> => ({
  adjustment_id: row.adjustmentId,
  org_id: row.orgId,
  debit: row.debit,
  credit: row.credit,
  currency: row.currency,
  amount: wireAmount(row.amountMinor, row.currency),
  reason: row.reason,
  payment_id: row.paymentId,
  proposed_by: row.proposedBy,
  approved_by: row.approvedBy,
  created_at: row.createdAt.toISOString(),
})

export const toAdjustmentPage = (page: Page<Adjustment>): z.input<typeof adjustmentPage> => ({
  ...ok('Adjustments of the ledger, newest first.', page.items.map(toView)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
