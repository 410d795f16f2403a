import { expect, test } from 'vitest'
import { runCells } from './run-cells.ts'

test(
  'an organisation moves to another cell while its payments go on: none is lost, doubled or out of reach for long',
  { timeout: 420_000 },
  async () => {
    const report = await runCells({
      payments: 80,
      perSecond: 6,
      seconds: 3,
      limitMs: 15_000,
      print: () => undefined,
    })
    expect(report.problems).toEqual([])
    expect(report.inNewCell).toBeGreaterThan(80)
    expect(report.moved.rows).toBeGreaterThan(80)
    expect(report.phases.map(({ phase, failed }) => [phase, failed])).toEqual([
      ['before the move', 0],
      ['during the move', 0],
      ['after the move', 0],
    ])
  },
)
