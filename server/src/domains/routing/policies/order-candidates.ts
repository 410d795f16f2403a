import { formatMinor } from '../../../lib/money/money.ts'
import type { Signal } from '../signals/record.ts'
import { matchRule } from './match-rule.ts'
import type { PaymentFacts, PublishedPolicy, RouteFigures, RoutingDecision, Strategy } from './record.ts'
import {
  draw,
  expectedCost,
  isNamed,
  labelOf,
  preferNamed,
  sortBy,
  successRates,
  type Route,
} from './rules.ts'

/** Everything that the order depends on. The same input gives the same order. */
export interface OrderInput<T extends Route> {
  policy: PublishedPolicy
  payment: PaymentFacts
  /** By priority. A strategy chooses among the healthy ones; the others follow them. */
  healthy: readonly T[]
  unhealthy: readonly T[]
  signalOf(this: void, route: T): Signal | undefined
  /** The account that led when the rule was last applied in this corridor. */
  leaderOf(this: void, rule: string | null): string | undefined
  /** How many payments the organisation has spent on exploration today. */
  explorations: number
}

interface CandidateOrder<T extends Route> {
  ordered: T[]
  decision: RoutingDecision
  figuresOf(this: void, route: T): RouteFigures
  /** The account that leads now; undefined if the strategy knows no leader. */
  leader: string | undefined
}

interface Ranking<T extends Route> {
  ranked: T[]
  figures: ReadonlyMap<T, RouteFigures>
  leader?: string | undefined
  isExploration?: boolean
}

/** Puts the candidates into the order that the policy asks for. It adds none and leaves none out. */
export function orderCandidates<T extends Route>(input: OrderInput<T>): CandidateOrder<T> {
  const { policy, payment, unhealthy } = input
  const { rule, strategy } = matchRule(policy.document, payment)
  const name = rule?.name ?? null
  const healthy = preferNamed(input.healthy, strategy.order)
  const { ranked, figures, leader, isExploration = false } = rank({ ...input, healthy }, strategy, name)
  return {
    ordered: [...ranked, ...preferNamed(unhealthy, strategy.order)],
    decision: {
      policy: policy.owner,
      version: policy.version,
      rule: name,
      strategy: strategy.type,
      isExploration,
      currency: payment.carried.currency,
    },
    figuresOf: (route) => figures.get(route) ?? {},
    leader,
  }
}

function rank<T extends Route>(input: OrderInput<T>, strategy: Strategy, rule: string | null): Ranking<T> {
  switch (strategy.type) {
    case 'priority':
      return { ranked: [...input.healthy], figures: new Map() }
    case 'split':
      return rankByShare(input, strategy)
    case 'cost':
      return rankByCost(input)
    case 'success_rate':
      return rankBySuccess(input, strategy, input.leaderOf(rule))
  }
}

const percentOf = 100

type StrategyOf<Type extends Strategy['type']> = Extract<Strategy, { type: Type }>

/**
 * Weighted rendezvous hashing: each share comes first in its percentage of payments. If an account is missing, only
 * its own payments move, and they spread over the others by their shares.
 */
function rankByShare<T extends Route>(
  { healthy, payment }: OrderInput<T>,
  { shares }: StrategyOf<'split'>,
): Ranking<T> {
  const shareOf = new Map<T, { percent: number; label: string }>()
  // A share that names an account is assigned before one that names only the provider.
  for (const share of sortBy(shares, ({ account }) => (account === undefined ? 1 : 0))) {
    const route = healthy.find((one) => !shareOf.has(one) && isNamed(share, one))
    if (route) shareOf.set(route, { percent: share.percent, label: labelOf(share) })
  }
  const scoreOf = (route: T): number => {
    const share = shareOf.get(route)
    if (!share || share.percent === 0) return Number.MAX_VALUE
    return -Math.log(draw(payment.seed, `split ${share.label}`)) / share.percent
  }
  const figures = new Map([...shareOf].map(([route, { percent }]) => [route, { sharePercent: percent }]))
  return { ranked: sortBy(healthy, scoreOf), figures }
}

/** Candidates whose cost is unknown come last. */
function rankByCost<T extends Route>(input: OrderInput<T>): Ranking<T> {
  const { healthy, payment, policy } = input
  const terms = policy.document.costs ?? []
  const costs = new Map(
    healthy.map((route) => [route, expectedCost(terms, route, payment, input.signalOf(route))]),
  )
  const figures = new Map<T, RouteFigures>()
  for (const [route, cost] of costs)
    if (cost !== undefined) figures.set(route, { cost: formatMinor(cost, payment.carried.currency) })
  const ranked = sortBy(healthy, (route) => {
    const cost = costs.get(route)
    return cost === undefined ? Number.MAX_VALUE : Number(cost)
  })
  return { ranked, figures }
}

/** The leader stays until another one is better by more than the hysteresis, so that close rates do not alternate. */
function rankBySuccess<T extends Route>(
  input: OrderInput<T>,
  strategy: StrategyOf<'success_rate'>,
  formerLeader: string | undefined,
): Ranking<T> {
  const { healthy } = input
  const signals = healthy.map(input.signalOf)
  const rates = new Map(successRates(signals).map((rate, index) => [healthy[index] as T, rate])) // one rate per route
  const rateOf = (route: T): number => rates.get(route) ?? 0
  const sorted = sortBy(healthy, (route) => -rateOf(route))
  const [best] = sorted
  const former = sorted.find(({ accountId }) => accountId === formerLeader)
  const isClose = best && former && rateOf(best) - rateOf(former) <= strategy.hysteresis_percent / percentOf
  const leader = isClose === true ? former : best
  const attempts = new Map(healthy.map((route, index) => [route, signals[index]?.totalWeight ?? 0]))
  const explored = exploredOf(input, strategy, { leader, attempts })
  const first = explored ?? leader
  return {
    ranked: first ? [first, ...sorted.filter((route) => route !== first)] : sorted,
    figures: new Map(
      healthy.map((route) => [
        route,
        { successRate: rounded(rateOf(route)), attempts: rounded(attempts.get(route) ?? 0) },
      ]),
    ),
    leader: leader?.accountId,
    isExploration: explored !== undefined,
  }
}

/** The account that least is known about, for the small part of the payments that are spent on learning. */
function exploredOf<T extends Route>(
  { healthy, payment, explorations }: OrderInput<T>,
  { exploration_percent: percent, daily_limit: dailyLimit }: StrategyOf<'success_rate'>,
  { leader, attempts }: { leader: T | undefined; attempts: ReadonlyMap<T, number> },
): T | undefined {
  if (explorations >= dailyLimit || draw(payment.seed, 'exploration') >= percent / percentOf) return undefined
  const others = healthy.filter((route) => route !== leader)
  return sortBy(others, (route) => attempts.get(route) ?? 0)[0]
}

const digits = 4
const rounded = (value: number): number => Number(value.toFixed(digits))
