import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { captureStatements } from './capture.ts'
import { measureCosts } from './costs.ts'
import { processorTimeMs } from './processor-time.ts'
import { payment, phoneNumber, runLoad, runLoadOn, type LoadResult } from './run-load.ts'
import { runMeasurement } from './run-measurement.ts'
import { formatTable } from './table.ts'
import { poolSize, startBenchInstallation, type BenchInstallation } from './installation.ts'

type InitiateOptions = {
  seconds: number
  connections: number
  costs: boolean
  profileDir: string | undefined
  print: (line: string) => void
}

const warmUpSeconds = 3
const steadyPerSecond = 100
const here = import.meta.dirname

const replayResult = z.object({ perSecond: z.number() })

/** Measures the payments per second of the API, compared with those of its SQL alone. */
export async function benchInitiate(options: InitiateOptions): Promise<void> {
  const installation = await startBenchInstallation({ profileDir: options.profileDir })
  try {
    const api = await measureApi(installation, options)
    const replay = await measureReplay(installation, options)
    const steady = await measureSteady(installation, options)
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
    if (options.costs) options.print(`\n${await measureCosts(installation)}`)
  } finally {
    await installation.stop()
  }
}

/** The request that our connector sends for this payment. */
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

async function measureApi(
  installation: BenchInstallation,
  { connections, seconds }: InitiateOptions,
): Promise<LoadResult & { processorTime: string }> {
  const processes = {
    api: installation.apiPid,
    simulator: installation.simulatorPid,
    postgres: installation.postgres.pid,
  }
  const times = () => Object.values(processes).map(processorTimeMs)
  const before = times()
  const result = await runLoad(installation, { connections, warmUpSeconds, seconds })
  const spent = times().map((after, index) => (after - (before[index] ?? 0)) / result.total)
  const named = Object.keys(processes).map((name, index) => `${name} ${(spent[index] ?? 0).toFixed(2)}`)
  const processorTime = `${named.join(', ')}, load ${(result.cpuMs / result.total).toFixed(2)} ms`
  return { ...result, processorTime }
}

async function measureReplay(
  installation: BenchInstallation,
  { connections, seconds }: InitiateOptions,
): Promise<z.infer<typeof replayResult>> {
  const recording = await captureStatements(installation.env, payment(installation))
  const recordingFile = join(installation.directory, 'recording.json')
  writeFileSync(recordingFile, JSON.stringify(recording))
  const urls = {
    switchyard_app: installation.env['DATABASE_APP_URL'],
    switchyard_system: installation.env['DATABASE_SYSTEM_URL'],
  }
  const options = { recordingFile, urls, poolSize, workers: connections, warmUpSeconds, seconds }
  return replayResult.parse(await runMeasurement(join(here, 'replay.ts'), options))
}

/** The added latency is a payment's duration minus the provider's median. */
async function measureSteady(installation: BenchInstallation, { connections, seconds }: InitiateOptions) {
  const load = { connections, warmUpSeconds, seconds, perSecond: steadyPerSecond }
  const provider = await runLoadOn({ origin: installation.simulatorUrl, ...deposit, ...load })
  const api = await runLoad(installation, load)
  return {
    providerP50Ms: provider.p50Ms,
    p50Ms: api.p50Ms - provider.p50Ms,
    p99Ms: api.p99Ms - provider.p50Ms,
  }
}
