import { expect, test } from 'vitest'
import { crashDeliveries } from './crash-deliveries.ts'
import { deliveryPoints } from './delivery-points.ts'

test(
  'wherever a worker is killed with -9, a delivery is one transfer on the chain',
  { timeout: 600_000 },
  async () => {
    const runs = deliveryPoints.length
    const report = await crashDeliveries({ runs, print: () => undefined })
    expect(report).toMatchObject({
      kills: runs,
      ramps: runs,
      completed: runs,
      notOnce: 0,
      isAuditClean: true,
    })
  },
)
