import type { Decimal } from './parse-json.ts'

/** The parts of responses that the dashboard uses. */
export interface Me {
  user_id: string
  org_id: string
  email: string
  first_name: string
  last_name: string
  role: string
  permissions: string[]
  features: string[]
}

interface Session {
  session_id: string
  org_id: string
  ip: string
  user_agent: string | null
  last_seen_at: string
  ends_at: string
  expires_at: string
  created_at: string
}

export interface CurrentSession extends Session {
  organizations: { org_id: string; name: string; role: string }[]
}

export interface ListedSession extends Session {
  is_current: boolean
}

export const paymentStatuses = [
  'initiated',
  'reviewed',
  'confirmed',
  'processing',
  'pending',
  'completed',
  'failed',
  'refunded',
  'rejected',
  'canceled',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const directions = ['inbound', 'outbound', 'external'] as const
export const methods = ['bank_transfer', 'card', 'mobile_money', 'crypto', 'wallet'] as const

export interface Transaction {
  transaction_id: string
  payment_id: string
  status: PaymentStatus
  direction: (typeof directions)[number]
  payment_method: (typeof methods)[number]
  amount: Decimal
  currency: string
  target_amount: Decimal
  target_currency: string
  provider: string | null
  client_reference: string | null
  description: string | null
  created_at: string
  updated_at: string
}

interface Trend {
  currency: string
  count: number
  volume: Decimal
  completed: number
  failed: number
  success_rate: Decimal | number | null
}

export interface Trends {
  totals: Trend[]
  series: (Trend & { date: string })[]
}

export interface Page<Item> {
  data: Item[]
  last_evaluated_key: string | null
}
