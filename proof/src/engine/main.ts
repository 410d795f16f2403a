import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { highestSeed } from '../shared/chance.ts'
import { crashEngine } from './crash-engine.ts'
import { formatTable, isViolation } from './report.ts'

const defaultRuns = 50

/** `npm run crash:engine -- --runs N --seed S` */
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } })
const runs = Number(values.runs ?? defaultRuns)
const seed = Number(values.seed ?? randomInt(highestSeed))
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed))
  throw new Error('--runs and --seed are whole numbers')
console.log(`npm run crash:engine -- --runs ${runs} --seed ${seed}`)
const report = await crashEngine({ runs, seed, print: console.log })
console.log(`\n${formatTable(report.results)}\n`)
console.log(
  `in the engine: ${report.idsInEngine} ids of notifications, ${report.addressesInEngine} addresses`,
)
const problems = report.results.flatMap((result) => result.problems)
for (const problem of problems) console.error(problem)
const isClean = report.addressesInEngine === 0 && report.idsInEngine > 0
process.exitCode = isClean && !report.results.some(isViolation) ? 0 : 1
