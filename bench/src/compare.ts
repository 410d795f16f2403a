import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { request } from 'undici'
import { z } from 'zod'
import { startBenchInstallation, type BenchInstallation } from './installation.ts'
import { processorTimeMs } from './processor-time.ts'
import { payment, runLoadOn } from './run-load.ts'
import { formatTable } from './table.ts'

type CompareOptions = {
  seconds: number
  connections: number
  /** How often each side is measured. */
  rounds: number
  print: (line: string) => void
}

/** One of the two that are compared. */
type Side = { name: string; apiUrl: string; apiPid: number; prepare: () => Promise<void> }

type Round = { perSecond: number; p50Ms: number; apiMs: number; postgresMs: number }

const warmUpSeconds = 3
const followTries = 50
const followPauseMs = 100
const slowerLimitPercent = 5

/** Measures two sides in turns in one run, so that whatever changes on the machine meets both of them. */
export async function benchCompare(options: CompareOptions): Promise<void> {
  const installation = await startBenchInstallation({ profileDir: undefined })
  try {
    await comparePolicies(installation, options)
  } finally {
    await installation.stop()
  }
}

async function comparePolicies(installation: BenchInstallation, options: CompareOptions): Promise<void> {
  const { apiUrl, apiPid } = installation
  const call = createCaller(installation)
  await writeSignals(installation)
  let isPublished = false
  /** Waits until the api routes by this strategy. */
  const followed = async (strategy: string): Promise<void> => {
    const { body } = payment(installation)
    for (let tries = 0; tries < followTries; tries += 1) {
      const { data } = previewed.parse(await call('POST', '/v1/payments-init/preview', JSON.parse(body)))
      if (data.routing.strategy === strategy) return
      await delay(followPauseMs)
    }
    throw new Error(`the api does not route by ${strategy}`)
  }
  await compare(
    installation,
    [
      {
        name: 'no policy',
        apiUrl,
        apiPid,
        prepare: async () => {
          if (isPublished) await call('POST', '/v1/routing/policies/withdraw', {})
          isPublished = false
          await followed('priority')
        },
      },
      {
        name: 'a policy',
        apiUrl,
        apiPid,
        prepare: async () => {
          const { data } = drafted.parse(
            await call('PUT', '/v1/routing/policies/draft', { document: policy }),
          )
          await call('POST', `/v1/routing/policies/${data.version}/publish`, {})
          isPublished = true
          await followed('success_rate')
        },
      },
    ],
    options,
  )
}

async function compare(
  installation: BenchInstallation,
  sides: readonly [Side, Side],
  options: CompareOptions,
): Promise<void> {
  const measured = new Map<Side, Round[]>(sides.map((side) => [side, []]))
  // The first round warms up the programs and their caches, and is left out.
  for (let round = 0; round <= options.rounds; round += 1) {
    if (round === 1) await analyze(installation)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await side.prepare()
      const result = await measure(installation, side, options)
      const shown = `${result.perSecond.toFixed(0)}/s, p50 ${result.p50Ms.toFixed(1)} ms`
      options.print(`${round === 0 ? 'warming up' : `round ${round}`}: ${side.name}: ${shown}`)
      if (round > 0) measured.get(side)?.push(result)
    }
  }
  const [a, b] = sides.map((side) => mediansOf(measured.get(side) ?? []))
  if (!a || !b) throw new Error('nothing was measured')
  options.print(`\n${formatComparison([sides[0].name, a], [sides[1].name, b])}`)
  const [roundsA = [], roundsB = []] = sides.map((side) => measured.get(side))
  const slower = -medianOf(
    roundsA.map((one, n) => differencePercent(one.perSecond, roundsB[n]?.perSecond ?? 0)),
  )
  options.print(`median of the differences within a round: ${(-slower).toFixed(1)} % payments/s`)
  if (slower <= slowerLimitPercent) return
  options.print(`${sides[1].name} is slower by ${slower.toFixed(1)} %, more than ${slowerLimitPercent} %`)
  process.exitCode = 1
}

async function measure(
  installation: BenchInstallation,
  { apiUrl, apiPid }: Side,
  { connections, seconds }: CompareOptions,
): Promise<Round> {
  const times = (): number[] => [apiPid, installation.postgres.pid].map(processorTimeMs)
  const before = times()
  const load = { origin: apiUrl, connections, warmUpSeconds, seconds }
  const { perSecond, p50Ms, total } = await runLoadOn({ ...load, ...payment(installation) })
  const [apiMs = 0, postgresMs = 0] = times().map((after, index) => (after - (before[index] ?? 0)) / total)
  return { perSecond, p50Ms, apiMs, postgresMs }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((x, y) => x - y)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

function mediansOf(rounds: readonly Round[]): Round {
  const median = (key: keyof Round): number => medianOf(rounds.map((round) => round[key]))
  return {
    perSecond: median('perSecond'),
    p50Ms: median('p50Ms'),
    apiMs: median('apiMs'),
    postgresMs: median('postgresMs'),
  }
}

const differencePercent = (a: number, b: number): number => (a === 0 ? 0 : (100 * (b - a)) / a)

function formatComparison([nameA, a]: [string, Round], [nameB, b]: [string, Round]): string {
  const row = (label: string, key: keyof Round, digits: number): string[] => [
    label,
    a[key].toFixed(digits),
    b[key].toFixed(digits),
    `${differencePercent(a[key], b[key]).toFixed(1)} %`,
  ]
  return formatTable([
    ['medians', nameA, nameB, 'difference'],
    row('payments/s', 'perSecond', 0),
    row('p50, ms', 'p50Ms', 1),
    row('processor time of the api, ms per payment', 'apiMs', 3),
    row('processor time of Postgres, ms per payment', 'postgresMs', 3),
  ])
}

const learning = {
  type: 'success_rate',
  hysteresis_percent: 2,
  // Explorations would go to another provider, which is not what is compared.
  exploration_percent: 0,
  daily_limit: 0,
  order: [{ provider: 'pawapay' }],
}
/** The last of several rules is the one that applies to the payments of the benchmark. */
const policy = {
  rules: [
    {
      name: 'Cards',
      when: { direction: 'payin', method: ['card'], card_brand: ['visa'] },
      strategy: learning,
    },
    { name: 'Large', when: { amount: { currency: 'UGX', min: 1_000_000 } }, strategy: { type: 'cost' } },
    { name: 'Friends', when: { metadata: { plan: ['gold', 'silver'] } }, strategy: learning },
    { name: 'Nights', when: { country: ['KE'], network: ['MPESA'] }, strategy: { type: 'priority' } },
    { name: 'Mobile money', when: { method: ['mobile_money'], country: ['UG'] }, strategy: learning },
  ],
  otherwise: { type: 'priority' },
}
const previewed = z.object({ data: z.object({ routing: z.object({ strategy: z.string() }) }) })
const drafted = z.object({ data: z.object({ version: z.number() }) })

const createCaller =
  ({ apiUrl, apiKey }: BenchInstallation) =>
  async (method: 'PUT' | 'POST', path: string, body: object): Promise<unknown> => {
    const headers = { authorization: 'NONE', 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answer = await request(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }

/** The success rates that a worker would have learnt; the benchmark has none. They last for the whole run. */
async function writeSignals({ ownerUrl }: BenchInstallation): Promise<void> {
  const weights = {
    success: 900,
    total: 1_000,
    unknown: 0,
    costShare: 9,
    costed: 900,
    latencies: Array(17).fill(50),
  }
  await asOwner(ownerUrl, (owner) =>
    owner.query(
      `insert into routing_weights (account_id, direction, method, country, card_brand, settled, settled_at, current,
         updated_at)
       select distinct account_id, 'payin', 'mobile_money', 'UG', '', $1::jsonb, now(), $1::jsonb, now()
       from provider_accounts`,
      [JSON.stringify(weights)],
    ),
  )
}

/** A database that was made a minute ago has no statistics; autovacuum would make them in the middle of a round. */
const analyze = ({ ownerUrl }: BenchInstallation): Promise<unknown> =>
  asOwner(ownerUrl, (owner) => owner.query('vacuum (analyze)'))

async function asOwner(ownerUrl: string, work: (owner: Client) => Promise<unknown>): Promise<void> {
  const owner = new Client(ownerUrl)
  await owner.connect()
  try {
    await work(owner)
  } finally {
    await owner.end()
  }
}
