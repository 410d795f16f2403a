import { expect, test } from 'vitest'
import { crashProviders } from './crash-providers.ts'

test(
  'whatever is killed with -9 and whatever a provider does, every ramp ends as its provider says',
  { timeout: 600_000 },
  async () => {
    const printed: string[] = []
    const report = await crashProviders({ ramps: 12, kills: 2, seed: 7, print: (line) => printed.push(line) })
    expect(printed.filter((line) => line.startsWith('VIOLATION'))).toEqual([])
    expect(report).toMatchObject({ kills: 2, violations: 0 })
    expect(report.completed + report.refunded + report.failed).toBe(report.ramps)
    expect(report.ramps).toBeGreaterThan(0)
  },
)
