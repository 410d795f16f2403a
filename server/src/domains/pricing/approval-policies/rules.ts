import { RateDecimal, toRate, type Rate } from '../../../lib/money/decimal.ts'
import { exponentOf, formatMinor, isCrypto, isFiat, type Money } from '../../../lib/money/money.ts'
import type { ApprovalCause, ApprovalPolicy, DailyLimit, Outflow } from './record.ts'

/** Units of each currency per US dollar. */
export type MarketRates = ReadonlyMap<string, string>

const weightDigits = 30

/**
 * The value of a currency's minor unit in minor units of the policy's currency. A currency with a policy of its own
 * counts under that one only. Undefined when there is no rate.
 */
function weightOf(
  policy: ApprovalPolicy,
  policies: readonly ApprovalPolicy[],
  currency: string,
  rates: MarketRates,
): Rate | undefined {
  if (currency === policy.currency) return toRate('1')
  if (policies.some((other) => other.currency === currency)) return toRate('0')
  const from = rates.get(currency)
  const to = rates.get(policy.currency)
  if (from === undefined || to === undefined) return undefined
  const scale = new RateDecimal(10).pow(exponentOf(policy.currency) - exponentOf(currency))
  return toRate(to).div(toRate(from)).mul(scale)
}

/** The policy that one of the two amounts reaches. An amount that no rate can convert does: it could be any sum. */
export function findReachedPolicy(
  policies: readonly ApprovalPolicy[],
  { source, target }: Outflow,
  rates: MarketRates,
): ApprovalCause | undefined {
  let kind: ApprovalCause['kind'] = 'amount'
  const policy = policies.find((candidate) =>
    [source, target].some((side) => {
      const weight = weightOf(candidate, policies, side.currency, rates)
      kind = weight === undefined ? 'rate' : 'amount'
      return weight === undefined || valueOf(side, weight).gte(candidate.payoutFromMinor.toString())
    }),
  )
  return policy && { kind, policy }
}

const valueOf = (side: Money, weight: Rate): Rate => weight.mul(side.amountMinor.toString())

export const dailyLimits = (
  policies: readonly ApprovalPolicy[],
  { source, target }: Outflow,
  rates: MarketRates,
): DailyLimit[] => {
  const currencies = new Set([
    source.currency,
    target.currency,
    ...policies.map(({ currency }) => currency),
    ...[...rates.keys()].filter((currency) => isFiat(currency) || isCrypto(currency)),
  ])
  return policies.flatMap((policy) => {
    if (policy.dailyFromMinor === null) return []
    const weights = [...currencies].flatMap((currency) => {
      const weight = weightOf(policy, policies, currency, rates)
      return weight ? [[currency, weight.toSignificantDigits(weightDigits).toFixed()] as const] : []
    })
    return [{ policy, limitMinor: policy.dailyFromMinor, weights: new Map(weights) }]
  })
}

/** What an outflow adds to the daily sum, rounded up; undefined when one of its currencies cannot be valued. */
export function dailyValueOf({ weights }: DailyLimit, { source, target }: Outflow): bigint | undefined {
  const values = [source, target].map((side) => {
    const weight = weights.get(side.currency)
    return weight === undefined ? undefined : valueOf(side, toRate(weight))
  })
  const [first, second] = values
  if (!first || !second) return undefined
  return BigInt((first.gt(second) ? first : second).ceil().toFixed())
}

/** A sentence for the person who reads why a payout waits. */
export function describeCause({ kind, policy }: ApprovalCause): string {
  const { currency, payoutFromMinor, dailyFromMinor } = policy
  if (kind === 'rate')
    return `No rate converts the amount into ${currency}, so your policy for ${currency} requires approval.`
  if (kind === 'daily' && dailyFromMinor !== null)
    return `With this payment, what left in the last 24 hours reaches ${formatMinor(dailyFromMinor, currency)} ${currency}, from which your policy requires approval.`
  return `Your policy requires approval from ${formatMinor(payoutFromMinor, currency)} ${currency} on.`
}

export const describePolicies = (policies: readonly ApprovalPolicy[]): string =>
  policies.length === 0 ? 'none' : policies.map(describePolicy).toSorted().join(', ')

const describePolicy = ({ currency, payoutFromMinor, dailyFromMinor }: ApprovalPolicy): string => {
  const daily = dailyFromMinor === null ? '' : ` or ${formatMinor(dailyFromMinor, currency)} in 24 hours`
  return `${currency} from ${formatMinor(payoutFromMinor, currency)}${daily}`
}

/** Whether a payout that needed approval before could pass without it now. */
export const isLoosened = (before: readonly ApprovalPolicy[], after: readonly ApprovalPolicy[]): boolean =>
  before.some((policy) => {
    const next = after.find(({ currency }) => currency === policy.currency)
    if (!next || next.payoutFromMinor > policy.payoutFromMinor) return true
    if (policy.dailyFromMinor === null) return false
    return next.dailyFromMinor === null || next.dailyFromMinor > policy.dailyFromMinor
  }) || after.some((policy) => isEscape(before, policy))

/**
 * A first policy for a currency takes it out of the conversion into the others, so that a high amount would loosen what
 * applied to it before.
 */
const isEscape = (before: readonly ApprovalPolicy[], policy: ApprovalPolicy): boolean =>
  before.length > 0 && !before.some(({ currency }) => currency === policy.currency)
