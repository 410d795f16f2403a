import { expect, test } from 'vitest'
import { runOutage } from './run-outage.ts'

test(
  'a provider that fails loses its traffic at every api within 10 s and gets it back once',
  { timeout: 300_000 },
  async () => {
    const report = await runOutage({
      apis: 2,
      perSecond: 8,
      outageSeconds: 15,
      fault: 'error_500',
      endsWhenBack: true,
      print: () => undefined,
    })
    expect(report.problems).toEqual([])
    expect(report.changes.map(({ health }) => health).slice(0, 2)).toEqual(['down', 'degraded'])
    expect(Math.max(...report.awaySeconds)).toBeLessThanOrEqual(10)
    expect(report.sentMeanwhile).toBeGreaterThan(0)
  },
)
