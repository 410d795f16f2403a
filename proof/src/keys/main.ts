import { parseArgs } from 'node:util'
import { table } from '../payments/report.ts'
import { printProblems } from '../shared/print-problems.ts'
import { formatPhase, phaseHeadings } from '../shared/steady-load.ts'
import { runRotation } from './run-rotation.ts'

/** `npm run drill:keys -- --rate 200 --seconds 30 [--adoption-seconds 60]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rate: { type: 'string', default: '50' },
      seconds: { type: 'string', default: '10' },
      'adoption-seconds': { type: 'string', default: '60' },
    },
  })
  const [perSecond, phaseSeconds] = [Number(values.rate), Number(values.seconds)]
  const adoptionSeconds = Number(values['adoption-seconds'])
  if (!(perSecond > 0) || !(phaseSeconds > 0) || !(adoptionSeconds > 0))
    throw new Error('--rate, --seconds and --adoption-seconds are numbers above 0')
  const report = await runRotation({
    perSecond,
    phaseSeconds,
    adoptionSeconds,
    bySettings: true,
    print: console.log,
  })
  const { phases, problems } = report
  console.log(`\n${table([phaseHeadings, ...phases.map(formatPhase)])}`)
  console.log(
    `\n${report.acknowledged} payments acknowledged; ${report.rewrapped} data keys wrapped again; idle ${(report.quietMs / 1_000).toFixed(0)} s after the last request; ${problems.length} problems`,
  )
  printProblems(problems)
}

if (import.meta.main) await main()
