import type { Signal } from '../signals/record.ts'
import { halfLifeMs } from '../signals/rules.ts'
import type { Verdict } from './record.ts'

/** The signals as they were at each moment of the replay, from the first attempts that had ended by then. */
interface ReplaySignals {
  /** Moves the time on; it never goes back. */
  advance(at: Date): void
  ended(key: string, outcome: { at: Date; verdict: Verdict; costShare: number | null }): void
  read(key: string): Signal | undefined
}

interface Weight {
  success: number
  total: number
  costShare: number
  costed: number
  atMs: number
}

const minuteMs = 60_000

export function createReplaySignals(): ReplaySignals {
  const weights = new Map<string, Weight>()
  /** Outcomes that are in the future of the replay, by the minute in which they end. */
  const pending = new Map<number, { key: string; verdict: Verdict; costShare: number | null }[]>()
  let minute = -Infinity
  const agedTo = (weight: Weight, atMs: number): Weight => {
    const factor = 2 ** (-Math.max(0, atMs - weight.atMs) / halfLifeMs)
    weight.success *= factor
    weight.total *= factor
    weight.costShare *= factor
    weight.costed *= factor
    weight.atMs = Math.max(weight.atMs, atMs)
    return weight
  }
  const count = (
    atMs: number,
    key: string,
    outcome: { verdict: Verdict; costShare: number | null },
  ): void => {
    const known = weights.get(key) ?? { success: 0, total: 0, costShare: 0, costed: 0, atMs }
    const weight = agedTo(known, atMs)
    weight.success += outcome.verdict === 'succeeded' ? 1 : 0
    weight.total += outcome.verdict === undefined ? 0 : 1
    weight.costShare += outcome.costShare ?? 0
    weight.costed += outcome.costShare === null ? 0 : 1
    weights.set(key, weight)
  }
  return {
    advance(at) {
      const next = Math.floor(at.getTime() / minuteMs)
      if (next <= minute) return
      const due = [...pending.keys()].filter((one) => one < next).toSorted((a, b) => a - b)
      for (const one of due) {
        for (const { key, ...outcome } of pending.get(one) ?? []) count((one + 1) * minuteMs, key, outcome)
        pending.delete(one)
      }
      minute = next
    },
    ended(key, { at, ...outcome }) {
      const end = Math.max(Math.floor(at.getTime() / minuteMs), minute)
      const list = pending.get(end)
      if (list) list.push({ key, ...outcome })
      else pending.set(end, [{ key, ...outcome }])
    },
    read(key) {
      const weight = weights.get(key)
      if (!weight) return undefined
      const { success, total, costShare, costed } = agedTo(weight, minute * minuteMs)
      return {
        successWeight: success,
        totalWeight: total,
        unknownWeight: 0,
        medianMs: null,
        costShare: costed < 0.01 ? null : costShare / costed,
        health: 'healthy',
        since: null,
      }
    },
  }
}
