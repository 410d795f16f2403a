import type { Estimate } from './record.ts'

/** Of the normal distribution, for a probability of 95 %. */
const z = 1.96

/** Wilson's interval, which also holds for few observations and for rates near 0 and 1. */
export function wilson(successes: number, total: number): Estimate | null {
  if (total <= 0) return null
  const value = successes / total
  const scale = 1 + (z * z) / total
  const center = (value + (z * z) / (2 * total)) / scale
  const half = (z * Math.sqrt((value * (1 - value)) / total + (z * z) / (4 * total * total))) / scale
  return estimate(value, Math.min(center - half, value), Math.max(center + half, value))
}

/** Sums from which a mean and its interval follow. */
export interface Moments {
  count: number
  sum: number
  squares: number
}

export const noMoments: Readonly<Moments> = { count: 0, sum: 0, squares: 0 }

export const addMoments = (a: Moments, b: Moments): Moments => ({
  count: a.count + b.count,
  sum: a.sum + b.sum,
  squares: a.squares + b.squares,
})

export function meanOf({ count, sum, squares }: Moments): Estimate | null {
  if (count <= 0) return null
  const value = sum / count
  const variance = Math.max(0, squares / count - value * value)
  const half = z * Math.sqrt(variance / count)
  return { value, low: Math.max(0, value - half), high: value + half }
}

/** Payments that would have gone to one account, and what is known about it. */
export interface MovedPayments {
  payments: number
  /** The expected rate of exactly these payments. */
  rate: number
  /** The first attempts that the rate rests on. */
  observed: number
}

/**
 * The rate that would have been measured: the outcomes of the payments that stay, and the expected rates of those
 * that move. Its variance is that of the draw itself and that of the expected rates.
 */
export function mixedRate(
  stayed: { succeeded: number; total: number },
  moved: readonly MovedPayments[],
): Estimate | null {
  const total = stayed.total + moved.reduce((sum, { payments }) => sum + payments, 0)
  if (total <= 0) return null
  const value =
    (stayed.succeeded + moved.reduce((sum, { payments, rate }) => sum + payments * rate, 0)) / total
  const stayedRate = stayed.total > 0 ? shrunk(stayed.succeeded, stayed.total) : 0
  const variance =
    stayed.total * stayedRate * (1 - stayedRate) +
    moved.reduce((sum, { payments, rate, observed }) => {
      const spread = smoothed(rate, observed) * (1 - smoothed(rate, observed))
      return sum + payments * spread + (payments * payments * spread) / Math.max(1, observed)
    }, 0)
  const half = (z * Math.sqrt(variance)) / total
  return estimate(value, value - half, value + half)
}

/** Adds two successes and two failures, so that no variance is zero. */
const shrunk = (succeeded: number, total: number): number => (succeeded + 2) / (total + 4)
const smoothed = (rate: number, observed: number): number => shrunk(rate * observed, observed)

const estimate = (value: number, low: number, high: number): Estimate => ({
  value,
  low: Math.max(0, low),
  high: Math.min(1, high),
})

/** An hour with few attempts is expected to be like the account’s other hours. */
const priorAttempts = 10

export const rateOfHour = (
  hour: { succeeded: number; total: number } | undefined,
  overall: { succeeded: number; total: number },
): number =>
  ((hour?.succeeded ?? 0) + priorAttempts * (overall.succeeded / overall.total)) /
  ((hour?.total ?? 0) + priorAttempts)
