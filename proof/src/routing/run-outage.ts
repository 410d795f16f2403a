import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { bodyOf, type SteadyLoad } from '../shared/steady-load.ts'
import { judgeLoad, runDrill } from '../upgrade/drill.ts'
import { startUpgradeInstallation, type UpgradeInstallation } from '../upgrade/installation.ts'
import { measureOutage, type FirstAttempt, type OutageFigures } from './measure-outage.ts'

type OutageOptions = {
  apis: number
  perSecond: number
  outageSeconds: number
  /** How the provider fails: the name of one of the simulator's faults. */
  fault: string
  /** Ends once the traffic is back, and does not wait until the route counts as healthy again. */
  endsWhenBack?: boolean
  print: (line: string) => void
}

type OutageReport = OutageFigures & {
  acknowledged: number
  /** How the health of the route changed, in order. */
  changes: { health: string; atSeconds: number }[]
  problems: string[]
}

/** Served by pawaPay first and by Paystack second. */
const kenyans = { country: 'KE', currency: 'KES', network: 'MPESA', phone: '2547083741' }
const preferred = 'pawapay'
const secondMs = 1_000
const calmMs = 8 * secondMs
/** How long the provider may take to get its traffic back, and then to count as healthy. */
const backLimitMs = 120 * secondMs
/** What is observed after the last expected change, in which nothing more may change. */
const watchedMs = 8 * secondMs
const providerDelayMs = 300
/** Every state once on the way down and once on the way up; the way down may skip one. */
const steadyCourse = /^(degraded, )?down, degraded(, healthy)?$/
const awayLimitSeconds = 10

/** Makes the preferred provider fail for a while under steady load over several apis, and measures where it goes. */
export const runOutage = (options: OutageOptions): Promise<OutageReport> =>
  runDrill(
    (directory) => startUpgradeInstallation(directory, providerDelayMs),
    async ({ installation, startLoad }) => {
      const apis = await startPrograms(installation, options.apis)
      const load = await startLoad({
        perSecond: options.perSecond,
        name: 'outage',
        address: ({ index }, prefix) => ({
          origin: apis[index % apis.length]?.url ?? '',
          body: bodyOf(kenyans, `${prefix}-${index}`, 0),
        }),
      })
      const times = await breakAndRepair(installation, options)
      return judge(installation, load, { ...times, provider: preferred, apis: options.apis })
    },
  )

async function startPrograms({ stack }: UpgradeInstallation, apis: number): Promise<ManagedProcess[]> {
  const file = (program: string): string => join(repositoryDir, 'proof/src/shared/programs', program)
  const started: ManagedProcess[] = []
  for (let index = 0; index < apis; index += 1)
    started.push(await stack.startApi({ name: `api-${index}`, file: file('api.ts') }))
  await stack.startWorker({ name: 'worker', file: file('worker.ts') })
  return started
}

async function breakAndRepair(
  installation: UpgradeInstallation,
  { outageSeconds, fault, endsWhenBack = false, print }: OutageOptions,
): Promise<{ fromMs: number; toMs: number }> {
  await delay(calmMs)
  const fromMs = Date.now()
  await setFaults(installation, [{ on: 'any', fault, times: 1_000_000 }])
  print(`${preferred} fails`)
  await delay(outageSeconds * secondMs)
  await setFaults(installation, [])
  const toMs = Date.now()
  print(`${preferred} is back`)
  const isOver = async (): Promise<boolean> => {
    const changes = await readChanges(installation)
    const last = changes.at(-1)?.health
    return last === 'healthy' || (endsWhenBack && last === 'degraded' && changes.length > 1)
  }
  while (!(await isOver()) && Date.now() - toMs < backLimitMs) await delay(secondMs / 2)
  await delay(watchedMs)
  return { fromMs, toMs }
}

async function setFaults({ stack }: UpgradeInstallation, faults: readonly object[]): Promise<void> {
  const { statusCode, body } = await request(`${stack.simulator.url}/${preferred}/_faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ faults }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`the simulator answered ${statusCode} ${text}`)
}

async function readChanges({ owner }: UpgradeInstallation): Promise<{ health: string; at: Date }[]> {
  const { rows } = await owner.query<{ health: string; at: Date }>(
    `select distinct on ((data::jsonb ->> 'sequence')::integer) data::jsonb ->> 'health' as health, created_at as at
     from events where event_type = 'provider.health_changed' and data::jsonb ->> 'provider' = $1
     order by (data::jsonb ->> 'sequence')::integer`,
    [preferred],
  )
  return rows
}

async function readFirstAttempts({ owner }: UpgradeInstallation, apis: number): Promise<FirstAttempt[]> {
  const { rows } = await owner.query<{ reference: string; provider: string; at: Date }>(
    `select p.client_reference as reference, a.provider, a.created_at as at
     from attempts a join payments p using (org_id, payment_id) where a.attempt_no = 1`,
  )
  return rows.map(({ reference, provider, at }) => ({
    api: Number(reference.slice(reference.lastIndexOf('-') + 1)) % apis,
    provider,
    atMs: at.getTime(),
  }))
}

async function judge(
  installation: UpgradeInstallation,
  load: SteadyLoad,
  outage: { fromMs: number; toMs: number; provider: string; apis: number },
): Promise<OutageReport> {
  const { evidence, undone, problems } = await judgeLoad(installation, load)
  const figures = measureOutage(await readFirstAttempts(installation, outage.apis), outage)
  const changes = (await readChanges(installation)).map(({ health, at }) => ({
    health,
    atSeconds: (at.getTime() - outage.fromMs) / secondMs,
  }))
  const course = changes.map(({ health }) => health).join(', ')
  return {
    ...figures,
    acknowledged: load.acknowledged.length,
    changes,
    problems: [
      ...problems,
      ...undone.map(({ paymentId, status }) => {
        const attempts = evidence.attempts.filter((attempt) => attempt.paymentId === paymentId)
        const tried = attempts.map((one) => `${one.provider} ${one.state} ${one.outcomeCode ?? ''}`)
        return `${paymentId} is ${status}: ${tried.join(', ')}`
      }),
      ...figures.awaySeconds
        .filter((seconds) => seconds > awayLimitSeconds)
        .map((seconds) => `an api went on for ${seconds.toFixed(1)} s`),
      ...figures.backSeconds
        .filter((seconds) => seconds === undefined)
        .map(() => `an api did not go back to ${outage.provider}`),
      ...(steadyCourse.test(course) ? [] : [`the health changed: ${course}`]),
    ],
  }
}
