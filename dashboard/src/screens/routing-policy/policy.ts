export interface RouteName {
  provider?: string
  account?: string
}

export interface Share extends RouteName {
  percent: number
}

export type StrategyType = 'priority' | 'split' | 'cost' | 'success_rate'

export interface Strategy {
  type: StrategyType
  shares?: Share[]
  exploration_percent?: number
  daily_limit?: number
  hysteresis_percent?: number
  order?: RouteName[]
}

export interface Conditions {
  direction?: string
  method?: string[]
  country?: string[]
  currency?: string[]
  amount?: { currency: string; min?: number; max?: number }
  card_brand?: string[]
  issuer_country?: string[]
  network?: string[]
  customer_type?: string[]
  metadata?: Record<string, unknown>
  time_of_day?: { from: string; to: string; zone: string }
}

export interface Rule {
  name: string
  when: Conditions
  strategy: Strategy
}

/** A policy document with JavaScript numbers: they are settings, not amounts that move. */
export interface Policy {
  rules: Rule[]
  otherwise: Strategy
  costs?: unknown[]
  fallback?: Record<string, string>
}

export const emptyPolicy: Policy = { rules: [], otherwise: { type: 'priority' } }

const numberFields = new Set([
  'percent',
  'exploration_percent',
  'hysteresis_percent',
  'min',
  'max',
  'fixed',
  'minimum',
  'maximum',
])

/** The client parses fractional numbers as text; the numeric fields of a policy are converted back. */
export function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (name === 'metadata') return [name, field]
      return [name, numberFields.has(name) && typeof field === 'string' ? Number(field) : withNumbers(field)]
    }),
  )
}

export const labelOf = ({ provider, account }: RouteName): string => provider ?? account ?? ''

const accountId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export const routeOf = (label: string): RouteName =>
  accountId.test(label) ? { account: label } : { provider: label }

/** Returns the list with one element moved to another index. */
export const moveTo = <Element>(list: readonly Element[], from: number, to: number): Element[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))
