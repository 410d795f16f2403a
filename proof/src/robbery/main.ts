import { parseArgs } from 'node:util'
import { startRobberyInstallation } from './installation.ts'
import { prove } from './prove.ts'
import { reportText } from './report.ts'
import { rob } from './run.ts'

const minuteMs = 60_000

/**
 * `npm run robbery -- --steps N --seed S --minutes M` exits with 1 when something was stolen; `--prove` plants bugs,
 * `--only TEXT` those with that text in their name.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '20' },
      prove: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  })
  const [steps = 0, seed = 0, minutes = 0] = [values.steps, values.seed, values.minutes].map(Number)
  if (![steps, seed, minutes].every(Number.isInteger))
    throw new Error('--steps, --seed and --minutes are whole numbers')
  if (values.prove) {
    const proofs = await prove(console.log, values.only)
    process.exitCode = proofs.every(({ isRight }) => isRight) ? 0 : 1
    return
  }
  const installation = await startRobberyInstallation()
  try {
    const options = { steps, seed, timeLimitMs: minutes * minuteMs, print: console.log }
    const report = await rob(installation, options)
    console.log(`\nnpm run robbery -- --steps ${steps} --seed ${seed}\n${reportText(report)}`)
    process.exitCode = report.violations.length === 0 ? 0 : 1
  } finally {
    await installation.stop()
  }
}

if (import.meta.main) await main()
