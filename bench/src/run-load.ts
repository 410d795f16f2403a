import { join } from 'node:path'
import { z } from 'zod'
import type { DiskSample } from './disk-probe.ts'
import type { BenchInstallation, MeasuredInstallation } from './installation.ts'
import type { LoadOptions } from './load-options.ts'
import { createMeter } from './meter.ts'
import { runMeasurement } from './run-measurement.ts'

const loadResult = z.object({
  total: z.number(),
  /** Answered while it counted. */
  completed: z.number(),
  failed: z.number(),
  firstFailure: z.string(),
  perSecond: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** For each of `quantileShares`. */
  quantilesMs: z.array(z.number()),
  /** Processor time of the load generator. */
  cpuMs: z.number(),
  traced: z.array(
    z.object({ number: z.number(), dueAtMs: z.number(), sentAtMs: z.number(), endedAtMs: z.number() }),
  ),
})

/** Nothing in it includes the warm-up. */
export type LoadResult = Omit<z.infer<typeof loadResult>, 'cpuMs'> & {
  /** Processor time of each process, for each request that was answered. */
  eachMs: Record<string, number>
  fdatasyncMs: number
  fdatasyncP99Ms: number
  diskSamples: readonly DiskSample[]
}

/** Ends in the simulator's sentinel for a payment that is accepted and then remains pending. */
export const phoneNumber = '256772000113'

export const payment = (installation: Pick<MeasuredInstallation, 'apiKey'>) => ({
  path: '/v1/payments-init/initiate',
  headers: { authorization: 'NONE', 'x-api-key': installation.apiKey, 'content-type': 'application/json' },
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

export type Load = {
  connections: number
  warmUpSeconds: number
  seconds: number
  perSecond?: number
  /** How many organisations pay, in turns; one by default. */
  organizations?: number
  isTraced?: boolean
}
type Target = {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  okStatus?: number
}

/** Sends payments to the api. */
export const runLoad = (installation: BenchInstallation, load: Load): Promise<LoadResult> =>
  runLoadOn(installation, { origin: installation.apiUrl, ...payment(installation) }, load)

/** Sends requests to a server of the installation. */
export async function runLoadOn(
  installation: MeasuredInstallation,
  target: Target,
  { organizations = 1, ...load }: Load,
): Promise<LoadResult> {
  const pids = {
    api: installation.apiPid,
    postgres: installation.postgres.pid,
    simulator: installation.simulatorPid,
  }
  const apiKeys = organizations === 1 ? [] : installation.apiKeys.slice(0, organizations)
  return runLoadBeside({ directory: installation.directory, pids }, { ...target, apiKeys }, load)
}

/** Sends requests to a server, and meters processes and the disk of a directory meanwhile. */
export async function runLoadBeside(
  { directory, pids }: { directory: string; pids: Readonly<Record<string, number>> },
  target: Target & { apiKeys: string[] },
  load: Omit<Load, 'organizations'>,
): Promise<LoadResult> {
  const meter = createMeter(directory, pids)
  const options: LoadOptions = { isTraced: false, ...load, ...target }
  const measured = await runMeasurement(join(import.meta.dirname, 'load.ts'), options, meter)
  const { cpuMs, ...result } = loadResult.parse(measured)
  if (result.failed > 0)
    throw new Error(`${result.failed} requests failed, the first with ${result.firstFailure}`)
  const { spentMs, ...disk } = meter.read()
  const each = Object.entries({ ...spentMs, load: cpuMs }).map(([name, ms]) => [name, ms / result.completed])
  return { ...result, ...disk, eachMs: Object.fromEntries(each) as Record<string, number> } // names and numbers
}

/** As in `api 1.40, postgres 2.00 ms`. */
export const describeTimes = (eachMs: Readonly<Record<string, number>>): string =>
  `${Object.entries(eachMs)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(', ')} ms`
