import { parseArgs } from 'node:util'
import { crashBatches } from './crash-batches.ts'

/** `npm run crash:batches -- --rows N --kills N` */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000' }, kills: { type: 'string', default: '6' } },
})
const [rows = 0, kills = 0] = [values.rows, values.kills].map(Number)
if (!Number.isInteger(rows) || !Number.isInteger(kills) || rows < 1)
  throw new Error('--rows and --kills are whole numbers')
const report = await crashBatches({ rows, kills, print: console.log })
console.log(report)
process.exitCode = report.problems.length === 0 ? 0 : 1
