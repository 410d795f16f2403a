import { RateDecimal, toRate, type Rate } from '../../../lib/money/decimal.ts'
import { exponentOf, formatMinor, isCrypto, isFiat, type Money } from '../../../lib/money/money.ts'
import type {
  ApprovalCause,
  ApprovalPolicy,
  DailyLimit,
  Outflow,
  OutflowKind,
  OutflowPolicy,
} from './record.ts'

/** Units of each currency per US dollar. */
export type MarketRates = ReadonlyMap<string, string>

const weightDigits = 30

/** The policies about one kind of outflow. A currency whose policy says nothing about refunds has none for them. */
export const policiesFor = (policies: readonly ApprovalPolicy[], kind: OutflowKind): OutflowPolicy[] =>
  policies.flatMap(({ currency, ...limits }) => {
    const dailyFromMinor = kind === 'payout' ? limits.dailyFromMinor : limits.refundDailyFromMinor
    // A single refund of the daily sum reaches that sum.
    const fromMinor = kind === 'payout' ? limits.payoutFromMinor : (limits.refundFromMinor ?? dailyFromMinor)
    return fromMinor === null ? [] : [{ kind, currency, fromMinor, dailyFromMinor }]
  })

/**
 * The value of a currency's minor unit in minor units of the policy's currency. A currency with a policy of its own
 * counts under that one only. Undefined when there is no rate.
 */
function weightOf(
  policy: OutflowPolicy,
  policies: readonly OutflowPolicy[],
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
  policies: readonly OutflowPolicy[],
  { source, target }: Outflow,
  rates: MarketRates,
): ApprovalCause | undefined {
  let kind: ApprovalCause['kind'] = 'amount'
  const policy = policies.find((candidate) =>
    [source, target].some((side) => {
      const weight = weightOf(candidate, policies, side.currency, rates)
      kind = weight === undefined ? 'rate' : 'amount'
      return weight === undefined || valueOf(side, weight).gte(candidate.fromMinor.toString())
    }),
  )
  return policy && { kind, policy }
}

const valueOf = (side: Money, weight: Rate): Rate => weight.mul(side.amountMinor.toString())

export const dailyLimits = (
  policies: readonly OutflowPolicy[],
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

/** A sentence for the person who reads why a payout or a refund waits. */
export function describeCause({ kind, policy }: ApprovalCause): string {
  const { currency, fromMinor, dailyFromMinor } = policy
  if (kind === 'rate')
    return `No rate converts the amount into ${currency}, so your policy for ${currency} requires approval.`
  if (kind === 'daily' && dailyFromMinor !== null) {
    const sum =
      policy.kind === 'payout'
        ? 'With this payment, what left in the last 24 hours reaches'
        : 'With this refund, the refunds of the last 24 hours reach'
    return `${sum} ${formatMinor(dailyFromMinor, currency)} ${currency}, from which your policy requires approval.`
  }
  const subject = policy.kind === 'payout' ? 'approval' : 'approval of refunds'
  return `Your policy requires ${subject} from ${formatMinor(fromMinor, currency)} ${currency} on.`
}

export const describePolicies = (policies: readonly ApprovalPolicy[]): string =>
  policies.length === 0 ? 'none' : policies.map(describePolicy).toSorted().join(', ')

const describePolicy = (policy: ApprovalPolicy): string => {
  const { currency, payoutFromMinor, dailyFromMinor, refundFromMinor, refundDailyFromMinor } = policy
  const parts = [`${currency} from ${formatMinor(payoutFromMinor, currency)}`]
  if (dailyFromMinor !== null) parts.push(`or ${formatMinor(dailyFromMinor, currency)} in 24 hours`)
  if (refundFromMinor !== null) parts.push(`refunds from ${formatMinor(refundFromMinor, currency)}`)
  if (refundDailyFromMinor !== null)
    parts.push(`refunds of ${formatMinor(refundDailyFromMinor, currency)} in 24 hours`)
  return parts.join(' ')
}

/** Whether a payout or a refund that needed approval before could pass without it now. */
export const isLoosened = (before: readonly ApprovalPolicy[], after: readonly ApprovalPolicy[]): boolean =>
  (['payout', 'refund'] as const).some((kind) =>
    areLoosened(policiesFor(before, kind), policiesFor(after, kind)),
  )

const areLoosened = (before: readonly OutflowPolicy[], after: readonly OutflowPolicy[]): boolean =>
  before.some((policy) => {
    const next = after.find(({ currency }) => currency === policy.currency)
    if (!next || next.fromMinor > policy.fromMinor) return true
    if (policy.dailyFromMinor === null) return false
    return next.dailyFromMinor === null || next.dailyFromMinor > policy.dailyFromMinor
  }) || after.some((policy) => isEscape(before, policy))

/**
 * A first policy for a currency takes it out of the conversion into the others, so that a high amount would loosen what
 * applied to it before.
 */
const isEscape = (before: readonly OutflowPolicy[], policy: OutflowPolicy): boolean =>
  before.length > 0 && !before.some(({ currency }) => currency === policy.currency)
