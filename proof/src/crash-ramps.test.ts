import { expect, test } from 'vitest'
import { crashRamps } from './crash-ramps.ts'
import { settlementPoints } from './crash-ramps/points.ts'

test(
  'wherever a worker is killed with -9, a settlement is one transfer on the chain',
  { timeout: 600_000 },
  async () => {
    const runs = settlementPoints.length
    const report = await crashRamps({ runs, print: () => undefined })
    expect(report).toMatchObject({
      kills: runs,
      ramps: runs,
      completed: runs,
      notOnce: 0,
      isAuditClean: true,
    })
  },
)
