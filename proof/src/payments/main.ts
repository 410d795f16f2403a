import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { highestSeed } from '../shared/chance.ts'
import { runFailover, type ScenarioOptions } from './failover.ts'
import { faultKinds, type FaultKind } from './plan.ts'
import { bugs } from './plant/bugs.ts'
import { prove } from './prove.ts'
import { runRestore } from './restore.ts'
import { formatSummary, table } from './report.ts'
import { runCrash } from './run.ts'

const usualFaults = faultKinds.filter((kind) => kind !== 'clock')

/** `npm run crash -- --payments N --kills K --seed S --faults kill,point,pause,provider,network,clock` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      payments: { type: 'string', default: '1000' },
      kills: { type: 'string', default: '40' },
      seed: { type: 'string', default: String(randomInt(highestSeed)) },
      faults: { type: 'string', default: usualFaults.join(',') },
      scenario: { type: 'string' },
      prove: { type: 'boolean', default: false },
      part: { type: 'string', default: '1/1' },
      keep: { type: 'boolean', default: false },
    },
  })
  const [payments = 0, kills = 0, seed = 0] = [values.payments, values.kills, values.seed].map(Number)
  if (![payments, kills, seed].every(Number.isInteger))
    throw new Error('--payments, --kills and --seed are whole numbers')
  if (values.scenario !== undefined) return showScenario(values.scenario, { payments, seed })
  if (values.prove) return showProofs(seed, values.part)
  const faults = values.faults.split(',').map(faultKindOf)
  console.log(
    `npm run crash -- --payments ${payments} --kills ${kills} --seed ${seed} --faults ${faults.join(',')}`,
  )
  const { summary, problems } = await runCrash(
    { payments, kills, seed, faults, isKept: values.keep },
    console.log,
  )
  for (const problem of problems) console.error(`\n${problem}`)
  console.log(`\n${formatSummary(summary)}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function faultKindOf(name: string): FaultKind {
  const kind = faultKinds.find((known) => known === name)
  if (!kind) throw new Error(`--faults is a list of ${faultKinds.join(', ')}`)
  return kind
}

const scenarios = { failover: runFailover, restore: runRestore }

async function showScenario(name: string, options: ScenarioOptions): Promise<void> {
  const run = Object.entries(scenarios).find(([known]) => known === name)?.[1]
  if (!run) throw new Error(`--scenario is one of ${Object.keys(scenarios).join(', ')}`)
  console.log(`npm run crash -- --scenario ${name} --payments ${options.payments} --seed ${options.seed}`)
  const { rows, problems } = await run(options, console.log)
  for (const problem of problems) console.error(`\n${problem}`)
  console.log(`\n${table([['what', 'result'], ...rows])}`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

/** `--part 2/3` plants the second third of the bugs. */
async function showProofs(seed: number, part: string): Promise<void> {
  const [place = 1, parts = 1] = part.split('/').map(Number)
  const planted = bugs.filter((_, index) => index % parts === place - 1)
  if (planted.length === 0) throw new Error('--part is K/N, such as 2/3')
  const proofs = await prove({ seed, planted, print: console.log })
  const rows = proofs.map(({ bug, caughtBy, after }) => [bug, caughtBy, String(after)])
  console.log(`\n${table([['planted bug', 'caught by', 'payments'], ...rows])}`)
  process.exitCode = proofs.every(({ isRight }) => isRight) ? 0 : 1
}

if (import.meta.main) await main()
