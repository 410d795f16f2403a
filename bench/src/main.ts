import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { benchPeer } from './peers/measure-peer.ts'
import { benchCheckout } from './checkout.ts'
import { benchCompareCheckouts } from './compare-checkouts.ts'
import { benchComparePolicies } from './compare-policies.ts'
import { benchGrowth } from './growth.ts'
import { benchInitiate } from './initiate.ts'
import { benchLatency } from './latency.ts'
import { benchLedger } from './ledger.ts'
import { benchReport, parts, renderReport, type Part } from './report.ts'
import { benchWebhooks } from './webhooks.ts'

const helpText = `npm run bench -- initiate|latency|ledger|report|render|compare|peer|webhooks|growth|checkout [options]

Starts PostgreSQL and what else is measured on this machine, measures it and stops it again.

  initiate   payments per second, their latency and processor time, for several numbers of organisations
  latency    where the slowest hundred payments spend their time at 100/s
  ledger     transfers per second by the functions of the ledger
  report     measures initiate, latency and ledger, and writes docs/performance.md and its picture
  render     writes them from the figures of the last report
  compare    the cost of a routing policy, in turns with and without one
  compare REF  this checkout and another commit, each with an installation of its own, in turns
  peer NAME  a peer that runs on this machine, with the same load and rows (bench/peers/README.md)

  --seconds N        how long each measurement takes, after warming up          (default: 10)
  --connections N    how many requests are open at once                         (default: 64)
  --organizations N,N,…  initiate, report: organisations that pay               (default: 1,10,100)
  --parts A,B,…      report: what is measured             (default: initiate,latency,ledger)
  --costs            initiate: also rows, index entries, bytes and WAL per payment
  --statements       ledger: also the statements that took the time of Postgres
  --only TEXT        ledger: the cases with this text in their name
  --sizes N,N,…      growth: payments in the database    (default: 10000,100000,1000000)
  --rounds N         compare: how often each side is measured                  (default: 24)
  --url, --token, --pids NAME=PID,…, --directory DIR  peer: where it is, and what is metered
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
    url: { type: 'string', default: '' },
    token: { type: 'string', default: '' },
    pids: { type: 'string', default: '' },
    directory: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
})
const print = console.log
const [name = '', second] = positionals
const seconds = Number(values.seconds)
const connections = Number(values.connections)
const rounds = Number(values.rounds)
const pids = Object.fromEntries(
  values.pids
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.split('='))
    .map(([process = '', pid]) => [process, Number(pid)]),
)
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
  compare: () =>
    second === undefined
      ? benchComparePolicies({ seconds, connections, rounds, print })
      : benchCompareCheckouts(second, { seconds, connections, rounds, print }),
  peer: () => {
    const { url, token, directory } = values
    return benchPeer({ name: second ?? '', url, token, pids, directory, seconds, connections, print })
  },
  webhooks: () => benchWebhooks({ seconds, print }),
  growth: () => benchGrowth({ sizes, seconds, print }),
  checkout: () => benchCheckout({ print }),
}

const isCount = (value: number): boolean => Number.isInteger(value) && value > 0
const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => isCount(value) && value > (values[index - 1] ?? 0))
const takesSecond = name === 'compare' || name === 'peer'
const isNamed = positionals.length === 1 || (takesSecond && positionals.length === 2)
const command = isNamed ? commands[name] : undefined
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
