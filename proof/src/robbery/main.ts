import { startRobberyInstallation } from './installation.ts'
import { helpText, readOptions, type Options } from './options.ts'
import { prove } from './prove.ts'
import { reportText } from './report.ts'
import { rob } from './run.ts'

const minuteMs = 60_000

async function main(options: Options | undefined): Promise<void> {
  if (!options) {
    console.log(helpText())
    return
  }
  const { steps, seed, minutes } = options
  if (options.isProof) {
    const proofs = await prove(console.log, options.only)
    process.exitCode = proofs.every(({ isRight }) => isRight) ? 0 : 1
    return
  }
  const installation = await startRobberyInstallation()
  try {
    const report = await rob(installation, {
      steps,
      seed,
      timeLimitMs: minutes * minuteMs,
      print: console.log,
    })
    console.log(`\nnpm run robbery -- --steps ${steps} --seed ${seed}\n${reportText(report)}`)
    process.exitCode = report.violations.length === 0 ? 0 : 1
  } finally {
    await installation.stop()
  }
}

if (import.meta.main) await main(readOptions(process.argv.slice(2)))
