import { parseArgs } from 'node:util'
import { crashWebhooks } from './crash-webhooks.ts'

/** `npm run crash:webhooks -- --events N --endpoints N --kills N` */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '400' },
    endpoints: { type: 'string', default: '5' },
    kills: { type: 'string', default: '4' },
  },
})
const [events, endpoints, kills] = [values.events, values.endpoints, values.kills].map(Number)
if (!events || !endpoints || kills === undefined || !Number.isInteger(events * endpoints * (kills + 1)))
  throw new Error('--events, --endpoints and --kills are whole numbers')
const report = await crashWebhooks({ events, endpoints, kills, print: console.log })
console.log(report)
const isClean = report.lost === 0 && report.changed === 0 && report.duplicates < report.expected / 100
process.exitCode = isClean ? 0 : 1
