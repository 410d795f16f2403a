import type { Span } from './rules.ts'

export interface Sums {
  payments: bigint
  completed: bigint
  failed: bigint
  amountMinor: bigint
  completedMinor: bigint
}

export interface TrendRow extends Sums {
  date: string
  currency: string
}

export interface CountryRow extends Sums {
  country: string
  currency: string
}

export interface Geography {
  users: { country: string | null; users: bigint }[]
  payments: CountryRow[]
}

export interface Trends extends Span {
  timeZone: string
  series: TrendRow[]
}
