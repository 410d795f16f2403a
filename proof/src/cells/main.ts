import { parseArgs } from 'node:util'
import { table } from '../payments/report.ts'
import { printProblems } from '../shared/print-problems.ts'
import { formatPhase, phaseHeadings } from '../shared/steady-load.ts'
import { runCells } from './run-cells.ts'

/** `npm run cells -- --payments 10000 --rate 20 --seconds 10 --limit 10` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      payments: { type: 'string', default: '10000' },
      rate: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '10' },
      limit: { type: 'string', default: '10' },
    },
  })
  const [payments = 0, perSecond = 0, seconds = 0, limit = 0] = [
    values.payments,
    values.rate,
    values.seconds,
    values.limit,
  ].map(Number)
  if (![payments, perSecond, seconds, limit].every((value) => value > 0))
    throw new Error('--payments, --rate, --seconds and --limit are numbers above 0')
  const report = await runCells({ payments, perSecond, seconds, limitMs: limit * 1_000, print: console.log })
  const { moved, problems } = report
  console.log(`\n${table([phaseHeadings, ...report.phases.map(formatPhase)])}`)
  console.log(
    `\n${report.inNewCell} payments of the organisation are in its new cell; ${moved.rows} rows were copied beforehand in ${moved.copyMs.toFixed(0)} ms and ${moved.rowsUnderFence} under the fence, which stood for ${moved.fencedMs.toFixed(0)} ms; ${problems.length} problems`,
  )
  printProblems(problems)
}

if (import.meta.main) await main()
