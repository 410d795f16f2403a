import { expect, test } from 'vitest'
import { crashSettlements } from './crash-settlements.ts'
import { settlementPoints } from './settlement-points.ts'

test(
  'wherever a worker is killed with -9, a settlement is one transfer on the chain',
  { timeout: 600_000 },
  async () => {
    const runs = settlementPoints.length
    const report = await crashSettlements({ runs, print: () => undefined })
    expect(report).toMatchObject({
      kills: runs,
      ramps: runs,
      completed: runs,
      notOnce: 0,
      isAuditClean: true,
    })
  },
)
