import { parseArgs } from 'node:util'
import { table } from '../payments/report.ts'
import { openBackupTools } from './backup-tools.ts'
import { runRestore } from './run-restore.ts'

const shownProblems = 20

/** `npm run drill:restore -- --rate 20 --seconds 20` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rate: { type: 'string', default: '20' }, seconds: { type: 'string', default: '15' } },
  })
  const [perSecond, seconds] = [Number(values.rate), Number(values.seconds)]
  if (!(perSecond > 0) || !(seconds > 0)) throw new Error('--rate and --seconds are numbers above 0')
  const tools = await openBackupTools()
  try {
    const { rows, problems } = await runRestore(tools, { perSecond, seconds, print: console.log })
    console.log(`\n${table([['what', 'result'], ...rows])}`)
    for (const problem of problems.slice(0, shownProblems)) console.error(problem)
    console.log(`${problems.length} problems`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } finally {
    await tools.remove()
  }
}

if (import.meta.main) await main()
