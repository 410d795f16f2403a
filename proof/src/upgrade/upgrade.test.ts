import { expect, test } from 'vitest'
import { runUpgrade } from './run-upgrade.ts'

test(
  'an upgrade with another schema and workflow, and the way back, fail no request and break no invariant',
  { timeout: 420_000 },
  async () => {
    const report = await runUpgrade({
      perSecond: 8,
      phaseSeconds: 2,
      providerDelayMs: 5_000,
      print: () => undefined,
    })
    expect(report.problems).toEqual([])
    expect(report.phases.map(({ phase, failed }) => [phase, failed])).toEqual([
      ['release N', 0],
      ['migration', 0],
      ['roll to N+1', 0],
      ['release N+1', 0],
      ['roll back to N', 0],
      ['release N again', 0],
    ])
    // Both releases have written payments, and jobs of both have run side by side.
    expect(report.withColumn).toBeGreaterThan(0)
    expect(report.withColumn).toBeLessThan(report.acknowledged)
    expect(report.jobsOnBoth).toBeGreaterThan(0)
  },
)
