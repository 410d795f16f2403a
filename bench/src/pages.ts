import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { startBenchInstallation, type BenchInstallation } from './installation.ts'
import { runLoad } from './run-load.ts'
import { median } from './statistics.ts'

const helpText = `node bench/src/pages.ts [--pages N] [--rounds N] [--seconds N]

Measures payments at 100/s without open payment pages and with them, in turns.
`
const pagesPerAddress = 20
const perSecond = 100
const connections = 64
const warmUpSeconds = 2
const madeAtOnce = 16

interface Round {
  p50Ms: number
  p99Ms: number
  /** Processor time per second of the measurement. */
  apiMs: number
  postgresMs: number
}

async function measure(installation: BenchInstallation, seconds: number): Promise<Round> {
  const load = { connections, warmUpSeconds, seconds, perSecond }
  const { p50Ms, p99Ms, completed, eachMs } = await runLoad(installation, load)
  const [apiMs, postgresMs] = [eachMs['api'] ?? 0, eachMs['postgres'] ?? 0]
  const inSecond = completed / seconds
  return { p50Ms, p99Ms, apiMs: apiMs * inSecond, postgresMs: postgresMs * inSecond }
}

async function makeLinks({ apiUrl, apiKey }: BenchInstallation, count: number): Promise<string[]> {
  const headers = { authorization: 'NONE', 'x-api-key': apiKey, 'content-type': 'application/json' }
  const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const method = body ? 'POST' : 'GET'
    const answer = await request(`${apiUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`)
    return ((await answer.body.json()) as { data: Record<string, unknown> }).data // our own envelope
  }
  const me = await call('/v1/users/me')
  const urls: string[] = []
  const make = async (): Promise<void> => {
    while (urls.length < count) {
      const position = urls.push('') - 1
      const link = await call(`/v1/orgs/${String(me['org_id'])}/payment-links`, {
        amount: 1500,
        currency: 'KES',
        country: 'KE',
        description: 'Order 7',
      })
      urls[position] = new URL(String(link['url'])).pathname
    }
  }
  await Promise.all(Array.from({ length: madeAtOnce }, make))
  return urls
}

/** Opens the streams of the pages, from as many addresses as their limit asks for, and reads each one's first state. */
async function openPages(apiUrl: string, paths: readonly string[]): Promise<{ close(): Promise<void> }> {
  const agents: Agent[] = []
  for (let first = 0; first < paths.length; first += pagesPerAddress) {
    const number = first / pagesPerAddress
    const localAddress = `127.1.${Math.floor(number / 250)}.${(number % 250) + 1}`
    const agent = new Agent({ connect: { localAddress }, connections: pagesPerAddress, bodyTimeout: 0 })
    agents.push(agent)
    await Promise.all(
      paths.slice(first, first + pagesPerAddress).map(async (path) => {
        const { statusCode, body } = await request(`${apiUrl}${path}/events`, { dispatcher: agent })
        if (statusCode !== 200) throw new Error(`a page answered ${statusCode}`)
        body.on('error', () => undefined)
        await new Promise((resolve) => body.once('data', resolve))
      }),
    )
  }
  return { close: async () => void (await Promise.all(agents.map((agent) => agent.destroy()))) }
}

function report(title: string, rounds: readonly Round[]): string {
  const of = (key: keyof Round): string => median(rounds.map((round) => round[key])).toFixed(1)
  const each = rounds.map(({ p99Ms }) => p99Ms.toFixed(1)).join(', ')
  return `${title}: p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms (${each}); processor time per second: api ${of('apiMs')} ms, Postgres ${of('postgresMs')} ms`
}

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
})
const pages = Number(values.pages)
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
if (values.help || ![pages, rounds, seconds].every((value) => Number.isInteger(value) && value > 0)) {
  console.log(helpText)
  process.exitCode = values.help ? 0 : 1
} else {
  const installation = await startBenchInstallation()
  try {
    const links = await makeLinks(installation, pages)
    await measure(installation, seconds)
    const [without, beside]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      without.push(await measure(installation, seconds))
      const open = await openPages(installation.apiUrl, links)
      await delay(1_000)
      beside.push(await measure(installation, seconds))
      await open.close()
      await delay(1_000)
    }
    console.log(report('without pages', without))
    console.log(report(`with ${pages} open pages`, beside))
  } finally {
    await installation.stop()
  }
}
