import type { Conditions, CostTerms, FallbackTable, RouteName, Rule, Strategy } from './record.ts'
import { labelOf } from './rules.ts'

/** A rule as a sentence, such as “Cards in Nigeria”: card payins in NG go by success rate. */
export const describeRule = ({ name, when, strategy }: Rule): string =>
  `${name}: ${describeConditions(when)}: ${describeStrategy(strategy)}.`

const listed = (values: readonly string[]): string => values.join(' or ')

function describeConditions(when: Conditions): string {
  const { amount, time_of_day: time } = when
  const parts = [
    when.country && `in ${listed(when.country)}`,
    when.currency && `in ${listed(when.currency)}`,
    amount && describeAmount(amount),
    when.card_brand && `with a card of ${listed(when.card_brand)}`,
    when.issuer_country && `with a card issued in ${listed(when.issuer_country)}`,
    when.network && `on ${listed(when.network)}`,
    when.customer_type && `of a customer that is ${listed(when.customer_type)}`,
    ...Object.entries(when.metadata ?? {}).map(
      ([key, value]) => `with ${key} ${listed((Array.isArray(value) ? value : [value]).map(String))}`,
    ),
    time && `from ${time.from} to ${time.to} in ${time.zone}`,
  ].filter((part) => part !== undefined)
  const what = when.direction === undefined ? 'payments' : `${when.direction}s`
  const methods = when.method ? `${listed(when.method)} ` : ''
  return `${methods}${what}${parts.map((part) => ` ${part}`).join('')}`
}

function describeAmount({ currency, min, max }: NonNullable<Conditions['amount']>): string {
  if (min === undefined) return max === undefined ? `in ${currency}` : `of at most ${max} ${currency}`
  return max === undefined ? `of at least ${min} ${currency}` : `of ${min} to ${max} ${currency}`
}

export function describeStrategy(strategy: Strategy): string {
  const order = strategy.order?.length ? `, in the order ${names(strategy.order)}` : ''
  return `${describeChoice(strategy)}${order}`
}

function describeChoice(strategy: Strategy): string {
  switch (strategy.type) {
    case 'priority':
      return 'by priority'
    case 'split':
      return `split ${strategy.shares.map((share) => `${share.percent} % to ${labelOf(share)}`).join(', ')}`
    case 'cost':
      return 'to the cheapest'
    case 'success_rate':
      return `to the highest success rate (${strategy.exploration_percent} % exploration, at most ${strategy.daily_limit} a day, ${strategy.hysteresis_percent} points to change the lead)`
  }
}

const names = (order: readonly RouteName[]): string => order.map(labelOf).join(', ')

export function describeCost(terms: CostTerms): string {
  const { currency = '', percent, fixed, minimum, maximum } = terms
  const parts = [
    `${percent} %`,
    fixed !== undefined && `plus ${fixed} ${currency}`,
    minimum !== undefined && `at least ${minimum} ${currency}`,
    maximum !== undefined && `at most ${maximum} ${currency}`,
  ].filter((part) => part !== false)
  const { direction, method, country } = terms
  const currencies = terms.currency === undefined ? undefined : [terms.currency]
  return `${labelOf(terms)} charges ${parts.join(', ')} for ${describeConditions({ direction, method, country, currency: currencies })}`
}

const consequences = { next: 'the next provider', later: 'the same provider later', stop: 'stop' } as const

export const describeFallback = (table: FallbackTable): string =>
  Object.entries(table)
    .map(([code, then]) => `${code}: ${consequences[then]}`)
    .toSorted()
    .join(', ')
