import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '@switchyard/stack/programs.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { checkPayments, formatViolation, lostOrDoubled } from '../shared/check-payments.ts'
import { createCallOnce } from '../shared/call-once.ts'
import { startSteadyLoad, type PhaseReport, type SteadyLoad } from '../shared/steady-load.ts'
import { countJobs, startFleet, type Fleet } from './fleet.ts'
import { startUpgradeInstallation, type UpgradeInstallation } from './installation.ts'
import { addedColumn, makeNextRelease } from './next-release.ts'

type UpgradeOptions = {
  perSecond: number
  /** How long each phase of steady load lasts. */
  phaseSeconds: number
  /** How long the provider takes to decide; with more than the four seconds until the first poll, jobs last for a while. */
  providerDelayMs: number
  /** A checkout of the release to upgrade to; by default a copy of this one with another schema and workflow. */
  next?: string
  print: (line: string) => void
}

type UpgradeReport = {
  phases: PhaseReport[]
  acknowledged: number
  /** The greatest number of jobs that were seen on two versions of the worker at once. */
  jobsOnBoth: number
  /** How many payments have the column that the next release adds. */
  withColumn: number
  quietMs: number
  problems: string[]
}

const secondMs = 1_000
const quietLimitMs = 120 * secondMs

/** Upgrades an installation under load and goes back again; no request may fail, no invariant may break. */
export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const scratch = await scratchDir()
  const installation = await startUpgradeInstallation(scratch.path, options.providerDelayMs)
  const calls = createCallOnce()
  try {
    const next = options.next ?? join(scratch.path, 'next')
    if (options.next === undefined) makeNextRelease(next)
    const old = await startFleet(installation, { name: 'old', directory: repositoryDir })
    const { apiUrl } = installation
    const load = startSteadyLoad({
      perSecond: options.perSecond,
      prefix: `upgrade-${randomUUID().slice(0, 8)}`,
      post: (payment) =>
        calls.post('/v1/payments-init/initiate', {
          ...payment,
          origin: apiUrl,
          key: installation.keyFor(payment.index),
        }),
    })
    try {
      const jobsOnBoth = await upgradeAndBack({ installation, load, old, next, options })
      return await judge(installation, load, jobsOnBoth)
    } finally {
      await load.stop()
    }
  } finally {
    await calls.stop()
    await installation.stop()
    await scratch.remove()
  }
}

type Upgrade = {
  installation: UpgradeInstallation
  load: SteadyLoad
  old: Fleet
  next: string
  options: UpgradeOptions
}

async function upgradeAndBack({ installation, load, old, next, options }: Upgrade): Promise<number> {
  const { print } = options
  const steady = async (phase: string): Promise<void> => {
    load.begin(phase)
    await delay(options.phaseSeconds * secondMs)
  }
  await steady('release N')
  load.begin('migration')
  const startedAt = performance.now()
  await runProgram(join(next, 'server/src/main/migrate.ts'), installation.migrationEnv)
  print(`migrated in ${seconds(startedAt)} s`)
  load.begin('roll to N+1')
  const upgraded = await roll(installation, old, { name: 'new', directory: next }, print)
  await steady('release N+1')
  load.begin('roll back to N')
  const back = await roll(installation, upgraded.fleet, { name: 'back', directory: repositoryDir }, print)
  await steady('release N again')
  return Math.max(upgraded.jobsOnBoth, back.jobsOnBoth)
}

const seconds = (since: number): string => ((performance.now() - since) / secondMs).toFixed(1)

/** As docs/operations.md says: the apis one after the other, then workers at a new address, the old ones until they are idle. */
async function roll(
  installation: UpgradeInstallation,
  old: Fleet,
  release: { name: string; directory: string },
  print: (line: string) => void,
): Promise<{ fleet: Fleet; jobsOnBoth: number }> {
  const startedAt = performance.now()
  const fleet = await startFleet(installation, { ...release, replaces: old })
  print(`the release "${release.name}" serves every request and takes new jobs after ${seconds(startedAt)} s`)
  let jobsOnBoth = 0
  for (;;) {
    const jobs = await countJobs(installation)
    const before = jobs.get(old.deploymentId) ?? 0
    jobsOnBoth = Math.max(jobsOnBoth, Math.min(before, jobs.get(fleet.deploymentId) ?? 0))
    if (before === 0) break
    if (performance.now() - startedAt > quietLimitMs)
      throw new Error(`${before} jobs are still on the old workers: ${JSON.stringify([...jobs])}`)
    await delay(secondMs / 4)
  }
  await old.retireWorker()
  print(`the old workers were idle and were removed after ${seconds(startedAt)} s`)
  return { fleet, jobsOnBoth }
}

async function judge(
  installation: UpgradeInstallation,
  load: SteadyLoad,
  jobsOnBoth: number,
): Promise<UpgradeReport> {
  const phases = await load.stop()
  const { evidence, violations, waitedMs } = await checkPayments(installation, quietLimitMs)
  const { rows } = await installation.owner.query<{ count: number }>(
    `select count(*)::integer as count from payments where to_jsonb(payments) ->> '${addedColumn}' = 'next'`,
  )
  const undone = evidence.payments.filter(({ status }) => status !== 'completed').length
  return {
    phases,
    acknowledged: load.acknowledged.length,
    jobsOnBoth,
    withColumn: rows[0]?.count ?? 0,
    quietMs: waitedMs,
    problems: [
      ...load.failures.map((line) => `a request failed: ${line}`),
      ...installation.unexpectedExits,
      ...lostOrDoubled(load.acknowledged, evidence),
      ...violations.map(formatViolation),
      ...(undone > 0 ? [`${undone} payments did not complete`] : []),
    ],
  }
}
