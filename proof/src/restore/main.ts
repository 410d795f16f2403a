import { parseArgs } from 'node:util'
import { table } from '../payments/report.ts'
import { printProblems } from '../shared/print-problems.ts'
import { openBackupTools } from './backup-tools.ts'
import { runRestore } from './run-restore.ts'

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
    printProblems(problems)
    console.log(`${problems.length} problems`)
  } finally {
    await tools.remove()
  }
}

if (import.meta.main) await main()
