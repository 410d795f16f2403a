import { expect, test } from 'vitest'
import { runRotation } from './run-rotation.ts'

test(
  'a rotation of every secret by files, and the end of the old ones by a rolling restart, fail no request',
  { timeout: 600_000 },
  async () => {
    const report = await runRotation({
      perSecond: 5,
      phaseSeconds: 2,
      adoptionSeconds: 10,
      bySettings: false,
      print: () => undefined,
    })
    expect(report.problems).toEqual([])
    expect(report.phases.map(({ phase, failed }) => [phase, failed])).toEqual([
      ['before', 0],
      ['SECRET_KEY in its file', 0],
      ['API_KEY_PEPPER in its file', 0],
      ['restart without the old ones', 0],
    ])
    expect(report.rewrapped).toBeGreaterThan(0)
  },
)
