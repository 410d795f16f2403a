import { expect, it } from 'vitest'
import { measureScreening } from './testing/measure-screening.ts'

const entries = Number(process.env.SANCTIONS_ENTRIES ?? 100_000)

it(`a name is screened against ${entries} entries in less than 5 ms (p99)`, async () => {
  const { latency } = await measureScreening({ entries, perKind: 100, every: 20 })
  expect(latency.p99Ms).toBeLessThan(5)
}, 120_000)
