import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { MoneyOperation, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { handled, parseRequest } from './envelope.ts'

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 100

const dateSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
const perPageSchema = z.coerce.number().int().min(1).max(MAX_PER_PAGE).optional()

/** The documentation has `perPage`, the OpenAPI file `per_page`; both are accepted. */
const listQuerySchema = z.object({
  perPage: perPageSchema,
  per_page: perPageSchema,
  page: z.coerce.number().int().min(1).default(1),
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  status: z.string().optional(),
  transaction: z.string().optional(),
})
type ListQuery = z.infer<typeof listQuerySchema>

interface Listing {
  readonly operation: MoneyOperation
  readonly message: string
  readonly statusOf: (transaction: Transaction) => string
  readonly present: (transaction: Transaction) => object
  /** Of a refund: the id of the transaction that it refunds. */
  readonly refundedId?: (transaction: Transaction) => string | undefined
}

/** The newest come first. */
export function listAnswer(kit: Kit, call: Call, listing: Listing): Answer {
  const parsed = parseRequest(listQuerySchema, call.query)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const perPage = input.perPage ?? input.per_page ?? DEFAULT_PER_PAGE
  const found = [...kit.transactions.values()]
    .filter((one) => one.account === call.account.name && one.operation === listing.operation)
    .filter((one) => isWanted(listing, one, input))
    .toReversed()
  const skipped = (input.page - 1) * perPage
  return handled(listing.message, found.slice(skipped, skipped + perPage).map(listing.present), {
    total: found.length,
    skipped,
    perPage,
    page: input.page,
    pageCount: Math.ceil(found.length / perPage),
  })
}

function isWanted(listing: Listing, transaction: Transaction, query: ListQuery): boolean {
  const createdAt = new Date(transaction.createdAt)
  if (query.from !== undefined && createdAt < query.from) return false
  if (query.to !== undefined && createdAt > query.to) return false
  const { refundedId } = listing
  if (refundedId && query.transaction !== undefined && refundedId(transaction) !== query.transaction)
    return false
  return query.status === undefined || listing.statusOf(transaction) === query.status
}
