import { parseArgs } from 'node:util'
import { table } from '../payments/report.ts'
import { printProblems } from '../shared/print-problems.ts'
import { runOutage } from './run-outage.ts'

const seconds = (value: number | undefined): string => (value === undefined ? 'never' : value.toFixed(1))

/** `npm run routing:outage -- [--apis 3] [--rate 15] [--seconds 60] [--fault error_500]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      apis: { type: 'string', default: '3' },
      rate: { type: 'string', default: '15' },
      seconds: { type: 'string', default: '60' },
      fault: { type: 'string', default: 'error_500' },
    },
  })
  const [apis, perSecond, outageSeconds] = [values.apis, values.rate, values.seconds].map(Number)
  if (!(apis && perSecond && outageSeconds))
    throw new Error('--apis, --rate and --seconds are numbers above 0')
  const report = await runOutage({ apis, perSecond, outageSeconds, fault: values.fault, print: console.log })
  const rows = report.awaySeconds.map((away, api) => [
    `api ${api}`,
    seconds(away),
    seconds(report.backSeconds[api]),
  ])
  console.log(`\n${table([['', 's until away', 's until back'], ...rows])}`)
  const course = report.changes.map(({ health, atSeconds }) => `${health} after ${seconds(atSeconds)} s`)
  console.log(
    `\n${report.acknowledged} payments acknowledged; ${report.sentMeanwhile} were tried at the failing provider first until its traffic was away, and ${report.probes} as probes; the route was ${course.join(', ')}; ${report.problems.length} problems`,
  )
  printProblems(report.problems)
}

if (import.meta.main) await main()
