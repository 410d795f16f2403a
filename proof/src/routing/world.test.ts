import { describe, expect, it } from 'vitest'
import { compareStrategies, strategies } from './compare-strategies.ts'

/** Smaller than `npm run routing:world`: six hours at the same number of payments per hour. */
const options = { seed: 1, payments: 5_000, hours: 6 }

describe('three providers whose success rates change by the hour', () => {
  const { oracle, runs, predictions } = compareStrategies(options)

  it('success_rate reaches 95 % of the oracle, beats split and priority, and explores within its bound', () => {
    expect(runs.success_rate.succeeded / oracle.succeeded).toBeGreaterThanOrEqual(0.95)
    expect(runs.success_rate.succeeded).toBeGreaterThan(runs.split.succeeded)
    expect(runs.success_rate.succeeded).toBeGreaterThan(runs.priority.succeeded)
    for (const explorations of runs.success_rate.explorationsByDay) {
      expect(explorations).toBeGreaterThan(0)
      expect(explorations).toBeLessThanOrEqual(strategies.success_rate.daily_limit)
    }
  })

  it('is the same world for the same seed', () => {
    const again = compareStrategies(options)
    expect(again.runs.success_rate.chosen).toEqual(runs.success_rate.chosen)
    expect(again.predictions).toEqual(predictions)
  })

  it.each(predictions)('the simulation predicts $strategy', ({ predicted, measured }) => {
    expect(Math.abs(predicted.value - measured)).toBeLessThan(0.02)
    expect(measured).toBeGreaterThanOrEqual(predicted.low - 0.01)
    expect(measured).toBeLessThanOrEqual(predicted.high + 0.01)
  })
})
