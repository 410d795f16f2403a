import { z } from 'zod'
import { wireAmount } from '../../../lib/money/money.ts'
import { pageLimit, type Page } from '../../../lib/requests/paging.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { StoredTransfer, TransferFilters } from './record.ts'
import { accountKinds, custodyOf } from './rules.ts'

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
const custody = z.enum(['pooled', 'own'])

export const listTransfersQuery = z.object({
  org_id: uuid.optional(),
  account_kind: z.enum(accountKinds).optional(),
  account: z.string().min(1).max(200).optional(),
  payment_id: uuid.optional(),
  currency: z.string().max(10).optional(),
  custody: custody.optional(),
  from: moment.optional(),
  to: moment.optional(),
  limit: pageLimit,
  last_evaluated_key: z.string().max(1024).optional(),
})

const transfer = z
  .object({
    transfer_id: z.string().meta({ description: 'The cause and the kind, which identify it together.' }),
    org_id: uuid,
    cause_id: uuid.meta({
      description: 'The payment, refund, dispute, adjustment or other record that caused it.',
    }),
    kind: z.string(),
    phase: z
      .enum(['posted', 'pending', 'post', 'void'])
      .meta({ description: 'pending is a hold; post turns it into a final transfer, and void releases it.' }),
    debit: z.string(),
    credit: z.string(),
    currency: z.string(),
    amount: wireDecimal,
    custody: custody.nullable().meta({ description: 'The spendable balance that it changes.' }),
    created_at: dateTime,
  })
  .meta({ id: 'LedgerTransfer' })

export const transferPage = success(z.array(transfer)).extend({
  meta: z.object({ count: z.int(), last_evaluated_key: z.string().nullable() }),
})

export const toFilters = (query: z.infer<typeof listTransfersQuery>): TransferFilters => ({
  accountKind: query.account_kind,
  account: query.account,
  paymentId: query.payment_id,
  currency: query.currency,
  custody: query.custody,
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : new Date(query.to),
})

const toView = (row: StoredTransfer): z.input<typeof transfer> => ({
  transfer_id: `${row.causeId}:${row.kind}`,
  org_id: row.orgId,
  cause_id: row.causeId,
  kind: row.kind,
  phase: row.phase,
  debit: row.debit,
  credit: row.credit,
  currency: row.currency,
  amount: wireAmount(row.amountMinor, row.currency),
  custody: custodyOf(row) ?? null,
  created_at: row.createdAt.toISOString(),
})

export const toTransferPage = (page: Page<StoredTransfer>): z.input<typeof transferPage> => ({
  ...ok('Transfers of the ledger, newest first.', page.items.map(toView)),
  meta: { count: page.items.length, last_evaluated_key: page.nextCursor },
})
