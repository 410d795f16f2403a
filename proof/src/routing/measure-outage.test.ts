import { describe, expect, it } from 'vitest'
import { measureOutage, type FirstAttempt } from './measure-outage.ts'

const outage = { provider: 'first', fromMs: 10_000, toMs: 70_000, apis: 2 }
/** Attempts of one api every half second. */
const every = (api: number, provider: string, fromMs: number, toMs: number): FirstAttempt[] =>
  Array.from({ length: (toMs - fromMs) / 500 }, (_none, index) => ({
    api,
    provider,
    atMs: fromMs + 500 * index,
  }))
const probe = (api: number, atMs: number): FirstAttempt => ({ api, provider: 'first', atMs })

describe('an outage', () => {
  it('is measured by api, and probes do not count as traffic', () => {
    const figures = measureOutage(
      [
        ...every(0, 'first', 0, 13_500),
        ...every(0, 'second', 13_500, 80_000),
        probe(0, 25_000),
        probe(0, 27_000),
        ...every(0, 'first', 80_000, 90_000),
        ...every(1, 'first', 0, 12_000),
        ...every(1, 'second', 12_000, 75_000),
        ...every(1, 'first', 75_000, 90_000),
      ],
      outage,
    )
    expect(figures.awaySeconds).toEqual([3, 1.5])
    expect(figures.sentMeanwhile).toBe(7 + 4)
    expect(figures.probes).toBe(2)
    expect(figures.backSeconds).toEqual([10, 5])
  })

  it('that an api does not notice lasts as long as it sends there, also if it had gone away before', () => {
    const noticed = [...every(1, 'first', 0, 10_500), ...every(1, 'second', 10_500, 90_000)]
    const returned = [
      ...every(0, 'first', 0, 12_000),
      ...every(0, 'second', 12_000, 40_000),
      ...every(0, 'first', 40_000, 50_000),
      ...every(0, 'second', 50_000, 90_000),
    ]
    const figures = measureOutage([...noticed, ...returned], outage)
    expect(figures.awaySeconds[0]).toBe(39.5)
    expect(figures.backSeconds).toEqual([undefined, undefined])
  })
})
