import type { Tx } from '../../../db/database.ts'
import { beforePosition } from '../../../db/keyset.ts'
import type { Position } from '../../../lib/cursor.ts'

export interface TransactionFilters {
  status: string | undefined
  direction: string | undefined
  paymentMethod: string | undefined
  currency: string | undefined
  provider: string | undefined
  clientReference: string | undefined
  from: Date | undefined
  to: Date | undefined
}

export interface TransactionRow {
  payment_id: string
  org_id: string
  user_id: string
  status: string
  direction: string
  payment_method: string
  amount_minor: string
  currency: string
  target_amount_minor: string
  target_currency: string
  provider: string | null
  client_reference: string | null
  description: string | null
  created_at: Date
  updated_at: Date
}

const columns = [
  'payment_id',
  'org_id',
  'user_id',
  'status',
  'direction',
  'payment_method',
  'amount_minor',
  'currency',
  'target_amount_minor',
  'target_currency',
  'provider',
  'client_reference',
  'description',
  'created_at',
  'updated_at',
] as const

export function selectTransactions(
  tx: Tx,
  orgId: string,
  page: { filters: TransactionFilters; limit: number; before: Position | undefined },
): Promise<TransactionRow[]> {
  const { filters, before } = page
  let query = tx.db.selectFrom('payments').select(columns).where('org_id', '=', orgId)
  const equal = {
    status: filters.status,
    direction: filters.direction,
    payment_method: filters.paymentMethod,
    currency: filters.currency,
    provider: filters.provider,
    client_reference: filters.clientReference,
  }
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) query = query.where(column as keyof typeof equal, '=', value) // a key of the object above
  if (filters.from) query = query.where('created_at', '>=', filters.from)
  if (filters.to) query = query.where('created_at', '<', filters.to)
  if (before) query = query.where(beforePosition('created_at', 'payment_id', before))
  return query.orderBy('created_at', 'desc').orderBy('payment_id', 'desc').limit(page.limit).execute()
}
