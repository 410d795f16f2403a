import type { FailureCode } from '../../../connectors/kit/failures.ts'
import type { Corridor, CorridorHealth, Counts, Signal, SignalKey, Weights } from './record.ts'

type Cause = 'customer' | 'provider' | 'fault'

/** Who caused a refusal. A fault means that the provider did not process the attempt at all. */
const causes: Readonly<Record<FailureCode, Cause>> = {
  ACCOUNT_INVALID: 'customer',
  ACCOUNT_LIMIT_REACHED: 'customer',
  ACCOUNT_NOT_FOUND: 'customer',
  ADDRESS_INVALID: 'customer',
  AMOUNT_NOT_ALLOWED: 'customer',
  AUTHENTICATION_FAILED: 'customer',
  CARD_DECLINED: 'provider',
  CARD_EXPIRED: 'customer',
  CARD_INVALID: 'customer',
  CURRENCY_NOT_SUPPORTED: 'provider',
  EXPIRED: 'customer',
  INSUFFICIENT_FUNDS: 'customer',
  NETWORK_NOT_SUPPORTED: 'provider',
  NOT_APPROVED: 'customer',
  NOT_CANCELABLE: 'provider',
  NOT_REFUNDABLE: 'provider',
  OTHER_PAYMENT_IN_PROGRESS: 'customer',
  PROVIDER_OUT_OF_FUNDS: 'fault',
  PROVIDER_REFUSED: 'fault',
  PROVIDER_UNAVAILABLE: 'fault',
  RETURNED: 'customer',
  RETURN_FAILED: 'provider',
  REVERSED: 'provider',
  SUSPECTED_FRAUD: 'provider',
  UNSPECIFIED: 'provider',
}

const codesOf = (wanted: Cause): string[] =>
  Object.entries(causes).flatMap(([code, cause]) => (cause === wanted ? [code] : []))

export const customerCodes: readonly string[] = codesOf('customer')
export const faultCodes: readonly string[] = codesOf('fault')

/** The upper bounds of the latency slots; one more slot holds what takes longer. */
export const latencyBoundsMs: readonly number[] = [
  50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_500, 5_000, 10_000, 20_000, 60_000, 180_000, 600_000,
]
export const latencySlots = latencyBoundsMs.length + 1

export const bucketMs = 5_000

/** Follows a change of a provider within minutes; an hour later an outcome has no weight. */
export const halfLifeMs = 5 * 60_000

const noLatencies: readonly number[] = Array.from({ length: latencySlots }, () => 0)
export const noWeights: Weights = {
  success: 0,
  total: 0,
  unknown: 0,
  costShare: 0,
  costed: 0,
  latencies: noLatencies,
}

const decayOver = (ageMs: number): number => (ageMs <= 0 ? 1 : 2 ** (-ageMs / halfLifeMs))

export function decay(weights: Weights, ageMs: number): Weights {
  const factor = decayOver(ageMs)
  return factor === 1 ? weights : mapWeights(weights, (value) => value * factor)
}

/** Weights as of `at`, with counts that happened about `countedAt` added. */
export function addCounts(weights: Weights, counts: Counts, ageMs: number): Weights {
  const factor = decayOver(ageMs)
  const { succeeded, providerDeclines, failed, notSent } = counts
  return {
    success: weights.success + factor * succeeded,
    total: weights.total + factor * (succeeded + providerDeclines + failed + notSent),
    unknown: weights.unknown + factor * counts.unknown,
    costShare: weights.costShare + factor * counts.costShare,
    costed: weights.costed + factor * counts.costed,
    latencies: weights.latencies.map((value, slot) => value + factor * (counts.latencies[slot] ?? 0)),
  }
}

const mapWeights = (weights: Weights, change: (value: number) => number): Weights => ({
  success: change(weights.success),
  total: change(weights.total),
  unknown: change(weights.unknown),
  costShare: change(weights.costShare),
  costed: change(weights.costed),
  latencies: weights.latencies.map(change),
})

/**
 * What is known about an account from this many attempts outweighs what is expected of it. An organisation with more is
 * judged by its own alone, and weighs no more than this in what the others read.
 */
const enoughWeight = 20

export const isEnough = ({ total }: Weights): boolean => total > enoughWeight

/** The weights of one organisation as the others read them: in the same proportions, and within the bound. */
export function boundWeights(weights: Weights): Weights {
  const ended = weights.latencies.reduce((sum, count) => sum + count, 0)
  const largest = Math.max(weights.total, weights.unknown, ended)
  return largest <= enoughWeight ? weights : mapWeights(weights, (value) => (value * enoughWeight) / largest)
}

export const sumWeights = (all: readonly Weights[]): Weights =>
  all.reduce(
    (sum, one) => ({
      success: sum.success + one.success,
      total: sum.total + one.total,
      unknown: sum.unknown + one.unknown,
      costShare: sum.costShare + one.costShare,
      costed: sum.costed + one.costed,
      latencies: sum.latencies.map((value, slot) => value + (one.latencies[slot] ?? 0)),
    }),
    noWeights,
  )

/** The latency quantile of the attempts, interpolated within its slot; null without attempts. */
export function quantileMs(latencies: readonly number[], part: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0)
  if (total <= 0) return null
  let below = 0
  for (const [slot, count] of latencies.entries()) {
    if (below + count >= part * total && count > 0) {
      const from = latencyBoundsMs[slot - 1] ?? 0
      const to = latencyBoundsMs[slot] ?? from
      return Math.round(from + ((part * total - below) / count) * (to - from))
    }
    below += count
  }
  return latencyBoundsMs.at(-1) ?? null
}

/** Less than this is no longer worth a figure. */
const leastCosted = 0.01

export const toSignal = (weights: Weights, health: Pick<Signal, 'health' | 'since'>): Signal => ({
  successWeight: weights.success,
  totalWeight: weights.total,
  unknownWeight: weights.unknown,
  medianMs: quantileMs(weights.latencies, 1 / 2),
  costShare: weights.costed < leastCosted ? null : weights.costShare / weights.costed,
  ...health,
})

const severities = { healthy: 0, degraded: 1, down: 2 } as const

/** The worst of several views of a corridor; of those that are down, the one that rests for longest. */
export const worstOf = <T extends Pick<CorridorHealth, 'health' | 'restUntil'>>(
  views: readonly T[],
): T | undefined =>
  views.toSorted(
    (a, b) =>
      severities[b.health] - severities[a.health] ||
      (b.restUntil?.getTime() ?? 0) - (a.restUntil?.getTime() ?? 0),
  )[0]

export const corridorOf = ({ accountId, direction, method, country }: Corridor): string =>
  `${accountId} ${direction} ${method} ${country}`

export const keyOf = (key: SignalKey): string => `${corridorOf(key)} ${key.cardBrand ?? ''}`

export const floorTo = (at: Date, stepMs: number): Date =>
  new Date(Math.floor(at.getTime() / stepMs) * stepMs)

export const before = (at: Date, ms: number): Date => new Date(at.getTime() - ms)

export const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
