import { parseArgs } from 'node:util'
import { benchCheckout } from './checkout.ts'
import { benchCompare } from './compare.ts'
import { benchGrowth } from './growth.ts'
import { benchInitiate } from './initiate.ts'
import { benchWebhooks } from './webhooks.ts'

const helpText = `npm run bench -- initiate|compare|webhooks|growth|checkout [options]

Starts PostgreSQL, the simulator and one api on this machine, measures them and stops them again.

  --seconds N        how long each measurement takes, after 3 s of warming up   (default: 10)
  --connections N    how many requests are open at once                         (default: 64)
  --costs            also rows, index entries, bytes and WAL per payment
  --sizes N,N,…      growth: payments in the database    (default: 10000,100000,1000000)
  --rounds N         compare: how often each side is measured                  (default: 24)
  --profile DIR      keep a CPU profile of the api in DIR
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
    costs: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '24' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const connections = Number(values.connections)
const rounds = Number(values.rounds)
const sizes = values.sizes.split(',').map(Number)
const isUsable =
  ['initiate', 'compare', 'webhooks', 'growth', 'checkout'].includes(positionals.join(' ')) &&
  seconds > 0 &&
  Number.isInteger(connections) &&
  connections > 0 &&
  Number.isInteger(rounds) &&
  rounds > 0 &&
  sizes.every((size, index) => Number.isInteger(size) && size > (sizes[index - 1] ?? 0))
if (values.help || !isUsable) {
  console.log(helpText)
  process.exitCode = values.help ? 0 : 1
} else if (positionals[0] === 'webhooks') await benchWebhooks({ seconds, print: console.log })
else if (positionals[0] === 'compare')
  await benchCompare({ seconds, connections, rounds, print: console.log })
else if (positionals[0] === 'checkout') await benchCheckout({ print: console.log })
else if (positionals[0] === 'growth') await benchGrowth({ sizes, seconds, print: console.log })
else {
  await benchInitiate({
    seconds,
    connections,
    costs: values.costs,
    profileDir: values.profile,
    print: console.log,
  })
}
