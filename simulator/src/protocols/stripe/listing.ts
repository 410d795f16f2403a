import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Transaction } from '../../core/transaction.ts'
import { secondsOf } from './details.ts'
import { noSuch } from './errors.ts'
import { parseParameters } from './parameters.ts'

const seconds = z.coerce.number().int().min(0).optional()

const queryFields = {
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().optional(),
  'expand[]': z.string().optional(),
  'expand[0]': z.string().optional(),
  'created[gt]': seconds,
  'created[gte]': seconds,
  'created[lt]': seconds,
  'created[lte]': seconds,
}

interface ListOptions {
  /** The newest come first. */
  readonly transactions: readonly Transaction[]
  readonly present: (transaction: Transaction) => { readonly id: string; readonly [name: string]: unknown }
  /** Additional filters of this list. */
  readonly filters?: readonly string[]
  readonly matches?: (transaction: Transaction, filters: Readonly<Record<string, string>>) => boolean
}

export function listPage(call: Call, options: ListOptions): Answer {
  const names = options.filters ?? []
  const filterFields = Object.fromEntries(names.map((name) => [name, z.string().optional()]))
  const parsed = parseParameters(z.strictObject({ ...filterFields, ...queryFields }), call.query)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = call.query[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const found = options.transactions
    .filter((transaction) => isCreatedWithin(secondsOf(transaction.createdAt), input))
    .filter((transaction) => options.matches?.(transaction, filters) ?? true)
    .map(options.present)
  const start = startOf(found, input.starting_after)
  if (start === undefined) return noSuch('object', input.starting_after ?? '', 'starting_after')
  const data = found.slice(start, start + input.limit)
  const url = call.path.replace(/^\/stripe/, '')
  return json(200, { object: 'list', url, has_more: start + data.length < found.length, data })
}

type CreatedFilter = Readonly<
  Partial<Record<'created[gt]' | 'created[gte]' | 'created[lt]' | 'created[lte]', number | undefined>>
>

function isCreatedWithin(created: number, filter: CreatedFilter): boolean {
  return (
    created > (filter['created[gt]'] ?? -1) &&
    created >= (filter['created[gte]'] ?? 0) &&
    created < (filter['created[lt]'] ?? Infinity) &&
    created <= (filter['created[lte]'] ?? Infinity)
  )
}

function startOf(found: readonly { readonly id: string }[], after: string | undefined): number | undefined {
  if (after === undefined) return 0
  const index = found.findIndex(({ id }) => id === after)
  return index === -1 ? undefined : index + 1
}
