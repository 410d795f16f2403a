import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../payments/report.ts'
import { printProblems } from '../shared/print-problems.ts'
import { formatPhase, phaseHeadings } from '../shared/steady-load.ts'
import { runUpgrade } from './run-upgrade.ts'

/** `npm run drill:upgrade -- --rate 200 --seconds 30 [--provider-seconds 5] [--next DIRECTORY]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '10' },
      'provider-seconds': { type: 'string', default: '5' },
      next: { type: 'string' },
    },
  })
  const [perSecond, phaseSeconds] = [Number(values.rate), Number(values.seconds)]
  if (!(perSecond > 0) || !(phaseSeconds > 0)) throw new Error('--rate and --seconds are numbers above 0')
  const report = await runUpgrade({
    perSecond,
    phaseSeconds,
    providerDelayMs: Number(values['provider-seconds']) * 1_000,
    ...(values.next !== undefined && { next: resolve(values.next) }),
    print: console.log,
  })
  const { phases, problems } = report
  console.log(`\n${table([phaseHeadings, ...phases.map(formatPhase)])}`)
  console.log(
    `\n${report.acknowledged} payments acknowledged, ${report.withColumn} of them written by the next release; at most ${report.jobsOnBoth} jobs on each of two versions at once; idle ${(report.quietMs / 1_000).toFixed(0)} s after the last request; ${problems.length} problems`,
  )
  printProblems(problems)
}

if (import.meta.main) await main()
