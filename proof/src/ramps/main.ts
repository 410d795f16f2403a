import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { highestSeed } from '../shared/chance.ts'
import { crashProviders } from './crash-providers.ts'
import { crashDeliveries } from './crash-deliveries.ts'

/** `npm run crash:ramps -- --runs N`, or `--providers --ramps N --kills K --seed S` */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '22' },
    providers: { type: 'boolean', default: false },
    ramps: { type: 'string', default: '100' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(randomInt(highestSeed)) },
  },
})
const [runs = 0, ramps = 0, kills = 0, seed = 0] = [values.runs, values.ramps, values.kills, values.seed].map(
  Number,
)
if (![runs, ramps, kills, seed].every(Number.isInteger) || runs < 1 || ramps < 2)
  throw new Error('--runs, --ramps, --kills and --seed are whole numbers')
if (values.providers) {
  console.log(`npm run crash:ramps -- --providers --ramps ${ramps} --kills ${kills} --seed ${seed}`)
  const report = await crashProviders({ ramps, kills, seed, print: console.log })
  console.log(report)
  process.exitCode = report.violations === 0 ? 0 : 1
} else {
  const report = await crashDeliveries({ runs, print: console.log })
  console.log(report)
  const isClean = report.notOnce === 0 && report.completed === report.ramps && report.isAuditClean
  process.exitCode = isClean ? 0 : 1
}
