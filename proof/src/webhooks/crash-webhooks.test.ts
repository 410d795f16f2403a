import { expect, test } from 'vitest'
import { crashWebhooks } from './crash-webhooks.ts'

/** What may be under way to one endpoint when a worker dies. */
const underWayPerEndpoint = 16

test(
  'whatever is killed with -9, every event reaches every endpoint, with the same id and bytes',
  { timeout: 240_000 },
  async () => {
    const [events, endpoints, kills] = [60, 3, 2]
    const report = await crashWebhooks({ events, endpoints, kills, print: () => undefined })
    expect(report).toMatchObject({ expected: events * endpoints, lost: 0, changed: 0 })
    expect(report.duplicates).toBeLessThanOrEqual(kills * endpoints * underWayPerEndpoint)
  },
)
