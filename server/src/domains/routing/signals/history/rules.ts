import type { Counts } from '../record.ts'
import { latencySlots } from '../rules.ts'
import type { BucketSize } from './record.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** The longest span of each size, so that an answer has a few hundred buckets per route at most. */
export const longestSpanMs: Readonly<Record<BucketSize, number>> = {
  minute: 6 * hourMs,
  hour: 31 * dayMs,
  day: 92 * dayMs,
}

export const defaultSpanMs: Readonly<Record<BucketSize, number>> = {
  minute: hourMs,
  hour: dayMs,
  day: 30 * dayMs,
}

const none: Counts = {
  answered: 0,
  faults: 0,
  succeeded: 0,
  customerDeclines: 0,
  providerDeclines: 0,
  failed: 0,
  notSent: 0,
  unknown: 0,
  costShare: 0,
  costed: 0,
  latencies: Array.from({ length: latencySlots }, () => 0),
}

export const sumCounts = (all: readonly Counts[]): Counts =>
  all.reduce<Counts>(
    (sum, one) => ({
      answered: sum.answered + one.answered,
      faults: sum.faults + one.faults,
      succeeded: sum.succeeded + one.succeeded,
      customerDeclines: sum.customerDeclines + one.customerDeclines,
      providerDeclines: sum.providerDeclines + one.providerDeclines,
      failed: sum.failed + one.failed,
      notSent: sum.notSent + one.notSent,
      unknown: sum.unknown + one.unknown,
      costShare: sum.costShare + one.costShare,
      costed: sum.costed + one.costed,
      latencies: sum.latencies.map((count, slot) => count + (one.latencies[slot] ?? 0)),
    }),
    none,
  )

/** The part that succeeded of the attempts that ended for a reason that is not the customer's; null when none did. */
export function routeSuccessRate(counts: Counts): number | null {
  const total = counts.succeeded + counts.providerDeclines + counts.failed + counts.notSent
  return total === 0 ? null : Math.round((counts.succeeded / total) * 10_000) / 10_000
}
