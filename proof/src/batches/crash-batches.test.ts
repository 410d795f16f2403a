import { expect, test } from 'vitest'
import { crashBatches } from './crash-batches.ts'

test(
  'whatever is killed with -9, each row of a batch is paid exactly once',
  { timeout: 300_000 },
  async () => {
    const report = await crashBatches({ rows: 150, kills: 2, print: () => undefined })
    expect(report).toMatchObject({ rows: 150, accepted: 150, problems: [] })
  },
)
