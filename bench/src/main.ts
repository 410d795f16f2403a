import { parseArgs } from 'node:util'
import { benchCheckout } from './checkout.ts'
import { benchCompare } from './compare.ts'
import { benchGrowth } from './growth.ts'
import { benchInitiate } from './initiate.ts'
import { benchLatency } from './latency.ts'
import { benchLedger } from './ledger.ts'
import { benchReport, parts, renderReport, type Part } from './report.ts'
import { benchWebhooks } from './webhooks.ts'

const helpText = `npm run bench -- initiate|latency|ledger|report|render|compare|webhooks|growth|checkout [options]

Starts PostgreSQL and what else is measured on this machine, measures it and stops it again.

  initiate   payments per second, their latency and processor time, for several numbers of organisations
  latency    where the slowest hundred payments spend their time at 100/s
  ledger     transfers per second by the functions of the ledger
  report     measures initiate, latency and ledger, and writes docs/performance.md and its picture
  render     writes them from the figures of the last report

  --seconds N        how long each measurement takes, after warming up          (default: 10)
  --connections N    how many requests are open at once                         (default: 64)
  --organizations N,N,…  initiate, report: organisations that pay               (default: 1,10,100)
  --parts A,B,…      report: what is measured             (default: initiate,latency,ledger)
  --costs            initiate: also rows, index entries, bytes and WAL per payment
  --statements       ledger: also the statements that took the time of Postgres
  --only TEXT        ledger: the cases with this text in their name
  --sizes N,N,…      growth: payments in the database    (default: 10000,100000,1000000)
  --rounds N         compare: how often each side is measured                  (default: 24)
  --profile DIR      initiate: keep a CPU profile of the api in DIR
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
    organizations: { type: 'string', default: '1,10,100' },
    parts: { type: 'string', default: parts.join(',') },
    costs: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '24' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const print = console.log
const seconds = Number(values.seconds)
const connections = Number(values.connections)
const rounds = Number(values.rounds)
const sizes = values.sizes.split(',').map(Number)
const organizations = values.organizations.split(',').map(Number)
const wantedParts = values.parts
  .split(',')
  .filter((part): part is Part => parts.some((known) => known === part))

const commands: Readonly<Record<string, () => Promise<void>>> = {
  initiate: () =>
    benchInitiate({
      seconds,
      connections,
      organizations,
      costs: values.costs,
      profileDir: values.profile,
      print,
    }),
  latency: () => benchLatency({ seconds, connections, print }),
  ledger: () =>
    benchLedger({ seconds, connections, only: values.only, hasStatements: values.statements, print }),
  report: () => benchReport({ parts: wantedParts, seconds, connections, organizations, print }),
  render: () => Promise.resolve(renderReport(print)),
  compare: () => benchCompare({ seconds, connections, rounds, print }),
  webhooks: () => benchWebhooks({ seconds, print }),
  growth: () => benchGrowth({ sizes, seconds, print }),
  checkout: () => benchCheckout({ print }),
}

const isCount = (value: number): boolean => Number.isInteger(value) && value > 0
const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => isCount(value) && value > (values[index - 1] ?? 0))
const command = positionals.length === 1 ? commands[positionals[0] ?? ''] : undefined
const isUsable =
  seconds > 0 &&
  isCount(connections) &&
  isCount(rounds) &&
  isRising(sizes) &&
  isRising(organizations) &&
  wantedParts.length === values.parts.split(',').length
if (values.help || !command || !isUsable) {
  print(helpText)
  process.exitCode = values.help ? 0 : 1
} else await command()
