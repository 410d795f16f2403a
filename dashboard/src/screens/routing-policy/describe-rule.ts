import { ruleWords as words, terms } from '../../messages/generated/texts.ts'
import { nameOf } from '../../messages/name-of.ts'
import { active } from '../../messages/active.ts'
import { countryName, formatList, formatSeries } from '../../ui/format.ts'
import { labelOf, type Conditions, type RouteName, type Rule, type Strategy } from './policy.ts'

/** Describes a rule in the page's language, because the server does not know an unsaved draft. */
export function describeRule({ when, strategy }: Rule): string {
  const conditions = conditionsOf(when)
  return conditions.length === 0
    ? words.everything(describeStrategy(strategy))
    : words.sentence(formatList(conditions), describeStrategy(strategy))
}

export const describeOtherwise = (strategy: Strategy, hasRules: boolean): string =>
  (hasRules ? words.rest : words.everything)(describeStrategy(strategy))

const either = (values: readonly string[]): string =>
  new Intl.ListFormat(active().locale, { type: 'disjunction' }).format(values)

const number = (value: number | undefined): string =>
  new Intl.NumberFormat(active().locale, { maximumFractionDigits: 8 }).format(value ?? 0)

const countries = (codes: readonly string[]): string => either(codes.map(countryName))

function conditionsOf(when: Conditions): string[] {
  const { time_of_day: time } = when
  return [
    when.direction && nameOf(words.direction, when.direction),
    when.method && words.method(either(when.method.map((one) => nameOf(terms.method, one).toLowerCase()))),
    when.country && words.country(countries(when.country)),
    when.currency && words.currency(either(when.currency)),
    when.amount && describeAmount(when.amount),
    when.card_brand && words.card_brand(either(when.card_brand)),
    when.issuer_country && words.issuer_country(countries(when.issuer_country)),
    when.network && words.network(either(when.network)),
    when.customer_type && words.customer_type(either(when.customer_type)),
    ...Object.entries(when.metadata ?? {}).map(([key, value]) =>
      words.metadata(key, either((Array.isArray(value) ? value : [value]).map(String))),
    ),
    time && words.time(time.from, time.to, time.zone),
  ].filter((part): part is string => part !== undefined && part !== '')
}

function describeAmount({ currency, min, max }: NonNullable<Conditions['amount']>): string {
  if (min !== undefined && max !== undefined) return words.amountBetween(number(min), number(max), currency)
  if (min !== undefined) return words.amountFrom(number(min), currency)
  return max === undefined ? words.amountIn(currency) : words.amountTo(number(max), currency)
}

function describeStrategy(strategy: Strategy): string {
  const { order = [] } = strategy
  const choice = choiceOf(strategy)
  return order.length === 0 ? choice : words.inOrder(choice, formatSeries(order.map(routeName)))
}

function choiceOf(strategy: Strategy): string {
  switch (strategy.type) {
    case 'priority':
      return words.priority
    case 'cost':
      return words.cost
    case 'split': {
      const { shares = [] } = strategy
      return words.split(
        formatSeries(shares.map((share) => words.share(number(share.percent), routeName(share)))),
      )
    }
    case 'success_rate':
      return words.successRate(
        number(strategy.exploration_percent),
        number(strategy.daily_limit),
        number(strategy.hysteresis_percent),
      )
  }
}

const routeName = (route: RouteName): string => nameOf(terms.provider, labelOf(route))
