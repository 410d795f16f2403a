import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureStatements } from './capture.ts'
import { measureCosts } from './costs.ts'
import { countedCalls } from './count-calls.ts'
import { poolSize, startBenchInstallation, type BenchInstallation } from './installation.ts'
import { createMeter } from './meter.ts'
import { loadFigures, type InitiateFigures } from './results.ts'
import { describeTimes, payment, phoneNumber, runLoad, runLoadOn } from './run-load.ts'
import { runMeasurement } from './run-measurement.ts'
import { formatTable } from './table.ts'

interface InitiateOptions {
  seconds: number
  connections: number
  /** Each number of organisations is measured on its own. */
  organizations: readonly number[]
  print: (line: string) => void
}

const warmUpSeconds = 3
const steadyPerSecond = 100

/** Measures the payments per second of the API, compared with those of its SQL alone. */
export async function benchInitiate(
  options: InitiateOptions & { costs: boolean; profileDir: string | undefined },
): Promise<void> {
  const installation = await startBenchInstallation({
    organizations: Math.max(...options.organizations),
    nodeFlags: options.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileDir}`],
  })
  try {
    options.print(initiateText(await measureInitiate(installation, options)))
    if (options.costs) options.print(`\n${await measureCosts(installation)}`)
  } finally {
    await installation.stop()
  }
}

export async function measureInitiate(
  installation: BenchInstallation,
  options: InitiateOptions,
): Promise<InitiateFigures> {
  const { seconds, connections } = options
  const load = { connections, warmUpSeconds, seconds }
  const rows: InitiateFigures['rows'] = []
  for (const organizations of options.organizations) {
    options.print(`initiating for ${organizations} organisations`)
    const full = await runLoad(installation, { ...load, organizations })
    const steady = await runLoad(installation, { ...load, organizations, perSecond: steadyPerSecond })
    rows.push({ organizations, full: loadFigures.parse(full), steady: loadFigures.parse(steady) })
  }
  options.print('the provider and the SQL alone')
  const provider = await runLoadOn(
    installation,
    { origin: installation.simulatorUrl, ...deposit },
    { ...load, perSecond: steadyPerSecond },
  )
  return {
    seconds,
    connections,
    steadyPerSecond,
    rows,
    sql: await measureReplay(installation, options),
    providerP50Ms: provider.p50Ms,
  }
}

function initiateText({
  rows,
  sql,
  connections,
  steadyPerSecond: rate,
  providerP50Ms,
}: InitiateFigures): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const row = (name: string, cell: (row: InitiateFigures['rows'][number]) => string): string[] => [
    name,
    ...rows.map(cell),
  ]
  return formatTable([
    row('organisations', ({ organizations }) => String(organizations)),
    row(`payments/s through the API, ${connections} connections`, ({ full }) => full.perSecond.toFixed(0)),
    row('  p50, p99 of these', ({ full }) => `${ms(full.p50Ms)}, ${ms(full.p99Ms)}`),
    row('  fdatasync meanwhile, p50', ({ full }) => `${full.fdatasyncMs.toFixed(2)} ms`),
    row('  processor time per payment', ({ full }) => describeTimes(full.eachMs)),
    row(`payments/s of the SQL alone, ${connections} workers`, () => sql.perSecond.toFixed(0)),
    row('  processor time per payment', () => describeTimes(sql.eachMs)),
    row('  ratio', ({ full }) => (full.perSecond / sql.perSecond).toFixed(2)),
    // The added latency is a payment's duration minus the provider's median.
    row(
      `added latency at ${rate}/s, p50, p99`,
      ({ steady }) => `${ms(steady.p50Ms - providerP50Ms)}, ${ms(steady.p99Ms - providerP50Ms)}`,
    ),
    row('  fdatasync meanwhile, p50', ({ steady }) => `${steady.fdatasyncMs.toFixed(2)} ms`),
    row('  processor time per payment', ({ steady }) => describeTimes(steady.eachMs)),
    row('  the provider itself, p50', () => ms(providerP50Ms)),
  ])
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

async function measureReplay(
  installation: BenchInstallation,
  { connections, seconds }: InitiateOptions,
): Promise<InitiateFigures['sql']> {
  const recording = await captureStatements(installation.env, payment(installation))
  const recordingFile = join(installation.directory, 'recording.json')
  writeFileSync(recordingFile, JSON.stringify(recording))
  const urls = {
    switchyard_app: installation.env['DATABASE_APP_URL'],
    switchyard_system: installation.env['DATABASE_SYSTEM_URL'],
  }
  const options = { recordingFile, urls, poolSize, workers: connections, warmUpSeconds, seconds }
  const meter = createMeter(installation.directory, { postgres: installation.postgres.pid })
  const measured = await runMeasurement(join(import.meta.dirname, 'replay.ts'), options, meter)
  const { perSecond, completed, cpuMs } = countedCalls.parse(measured)
  const { spentMs, fdatasyncMs } = meter.read()
  const eachMs = { postgres: (spentMs['postgres'] ?? 0) / completed, script: cpuMs / completed }
  return { perSecond, eachMs, fdatasyncMs }
}
