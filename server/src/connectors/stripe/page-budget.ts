import type { Clock } from '../../lib/clock.ts'

/** How many pages may still be listed to find payments. */
export interface PageBudget {
  /** False when nothing is left at the moment. */
  take(): boolean
}

/** Fills up over time, so that look-ups of many payments at once leave Stripe's rate limit to new payments. */
export function createPageBudget(
  clock: Clock,
  { perSecond, burst }: { perSecond: number; burst: number },
): PageBudget {
  let left = burst
  let countedAtMs = clock.now().getTime()
  return {
    take() {
      const nowMs = clock.now().getTime()
      left = Math.min(burst, left + (Math.max(nowMs - countedAtMs, 0) / 1_000) * perSecond)
      countedAtMs = nowMs
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
