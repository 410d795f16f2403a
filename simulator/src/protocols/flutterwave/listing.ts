import { z } from 'zod'
import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { MoneyOperation, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { handled, parseRequest } from './envelope.ts'

const PAGE_SIZE = 20
const DAY_MS = 86_400_000

/** Flutterwave filters by whole days. */
const querySchema = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  page: z.coerce.number().int().min(1).default(1),
})

interface Listing {
  readonly operation: MoneyOperation
  readonly message: string
  readonly isWanted: (transaction: Transaction) => boolean
  readonly present: (transaction: Transaction) => object
}

/** The newest come first. */
export function listAnswer(kit: Kit, call: Call, listing: Listing): Answer {
  const parsed = parseRequest(querySchema, call.query)
  if ('refusal' in parsed) return parsed.refusal
  const { from, to, page } = parsed.input
  const fromMs = from === undefined ? 0 : Date.parse(from)
  const untilMs = to === undefined ? Infinity : Date.parse(to) + DAY_MS
  const found = [...kit.transactions.values()]
    .filter((one) => one.account === call.account.name && one.operation === listing.operation)
    .filter((one) => Date.parse(one.createdAt) >= fromMs && Date.parse(one.createdAt) < untilMs)
    .filter(listing.isWanted)
    .toReversed()
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return handled(listing.message, shown.map(listing.present), {
    page_info: {
      total: found.length,
      current_page: page,
      total_pages: Math.ceil(found.length / PAGE_SIZE),
      page_size: PAGE_SIZE,
    },
  })
}
