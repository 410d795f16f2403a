import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { captureStatements } from './capture.ts'
import { measureCosts } from './costs.ts'
import { processorTimeMs } from './processor-time.ts'
import { runMeasurement } from './program.ts'
import { formatTable } from './table.ts'
import { poolSize, startWorld, type World } from './world.ts'

export type InitiateOptions = {
  seconds: number
  connections: number
  costs: boolean
  profileDir: string | undefined
  print: (line: string) => void
}

const warmUpSeconds = 3
const steadyPerSecond = 100
const here = import.meta.dirname

const loadResult = z.object({
  total: z.number(),
  failed: z.number(),
  firstFailure: z.string(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  cpuMs: z.number(),
})
export type LoadResult = z.infer<typeof loadResult>
const replayResult = z.object({ perSecond: z.number() })

/** How many payments a second the whole API starts, beside what its SQL alone would allow. */
export async function benchInitiate(options: InitiateOptions): Promise<void> {
  const world = await startWorld({ profileDir: options.profileDir })
  try {
    const api = await measureApi(world, options)
    const replay = await measureReplay(world, options)
    const steady = await measureSteady(world, options)
    const ms = (value: number) => `${value.toFixed(1)} ms`
    const rows: [string, string][] = [
      [`payments/s through the API, ${options.connections} connections`, api.perSecond.toFixed(0)],
      ['  p50, p99 of these', `${ms(api.p50Ms)}, ${ms(api.p99Ms)}`],
      ['  processor time per payment', api.processorTime],
      [`payments/s of the SQL alone, ${options.connections} workers`, replay.perSecond.toFixed(0)],
      ['ratio', (api.perSecond / replay.perSecond).toFixed(2)],
      [`added latency at ${steadyPerSecond}/s, p50`, ms(steady.p50Ms)],
      [`added latency at ${steadyPerSecond}/s, p99`, ms(steady.p99Ms)],
      ['  the provider itself, p50', ms(steady.providerP50Ms)],
    ]
    options.print(formatTable(rows))
    if (options.costs) options.print(`\n${await measureCosts(world, (load) => runLoad(world, load))}`)
  } finally {
    await world.stop()
  }
}

/** The last digits are the simulator's: accepted, and then pending for as long as the measurement may take. */
const phoneNumber = '256772000113'

export const payment = (world: World) => ({
  path: '/v1/payments-init/initiate',
  headers: { authorization: 'NONE', 'x-api-key': world.apiKey, 'content-type': 'application/json' },
  body: JSON.stringify({
    amount: 5000,
    target_amount: 5000,
    currency: 'UGX',
    target_currency: 'UGX',
    payment_method: 'mobile_money',
    direction: 'payin',
    country: 'UG',
    client_reference: 'order-{uuid}',
    payer_details: { name: 'Grace Nakato', email: 'grace@example.com', phone: phoneNumber },
    mobile_money_details: { provider: 'MTN', phone_number: phoneNumber },
  }),
})

/** The call that our connector makes for it. */
const deposit = {
  path: '/pawapay/v2/deposits',
  headers: { authorization: 'Bearer pawapay-sandbox-token', 'content-type': 'application/json' },
  body: JSON.stringify({
    depositId: '{uuid}',
    amount: '5000',
    currency: 'UGX',
    payer: { type: 'MMO', accountDetails: { phoneNumber, provider: 'MTN_MOMO_UGA' } },
  }),
}

type Load = { connections: number; warmUpSeconds: number; seconds: number; perSecond?: number }

export async function runLoad(world: World, load: Load): Promise<LoadResult> {
  return runLoadOn({ origin: world.apiUrl, ...payment(world), ...load })
}

async function runLoadOn(load: Load & { origin: string; path: string }): Promise<LoadResult> {
  const result = loadResult.parse(await runMeasurement(join(here, 'load.ts'), load))
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed, the first with ${result.firstFailure}`)
  return result
}

async function measureApi(
  world: World,
  { connections, seconds }: InitiateOptions,
): Promise<LoadResult & { processorTime: string }> {
  const processes = { api: world.api.pid, simulator: world.simulator.pid, postgres: world.postgres.pid }
  const times = () => Object.values(processes).map(processorTimeMs)
  const before = times()
  const result = await runLoad(world, { connections, warmUpSeconds, seconds })
  const spent = times().map((after, index) => (after - (before[index] ?? 0)) / result.total)
  const named = Object.keys(processes).map((name, index) => `${name} ${(spent[index] ?? 0).toFixed(2)}`)
  const processorTime = `${named.join(', ')}, load ${(result.cpuMs / result.total).toFixed(2)} ms`
  return { ...result, processorTime }
}

async function measureReplay(
  world: World,
  { connections, seconds }: InitiateOptions,
): Promise<z.infer<typeof replayResult>> {
  const recording = await captureStatements(world.env, payment(world))
  const recordingFile = join(world.directory, 'recording.json')
  writeFileSync(recordingFile, JSON.stringify(recording))
  const urls = {
    switchyard_app: world.env['DATABASE_APP_URL'],
    switchyard_system: world.env['DATABASE_SYSTEM_URL'],
  }
  const options = { recordingFile, urls, poolSize, workers: connections, warmUpSeconds, seconds }
  return replayResult.parse(await runMeasurement(join(here, 'replay.ts'), options))
}

/** Added is what a payment takes longer than its provider's own median. */
async function measureSteady(world: World, { connections, seconds }: InitiateOptions) {
  const load = { connections, warmUpSeconds, seconds, perSecond: steadyPerSecond }
  const provider = await runLoadOn({ origin: world.simulatorUrl, ...deposit, ...load })
  const api = await runLoad(world, load)
  return {
    providerP50Ms: provider.p50Ms,
    p50Ms: api.p50Ms - provider.p50Ms,
    p99Ms: api.p99Ms - provider.p50Ms,
  }
}
