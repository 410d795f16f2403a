import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '@switchyard/stack/programs.ts'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'
import type { PhaseReport, SteadyLoad } from '../shared/steady-load.ts'
import { judgeLoad, runDrill, undoneProblems, warmUpMs } from './drill.ts'
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
export const runUpgrade = (options: UpgradeOptions): Promise<UpgradeReport> =>
  runDrill(
    (directory) => startUpgradeInstallation(directory, options.providerDelayMs),
    async ({ installation, directory, startLoad }) => {
      const next = options.next ?? join(directory, 'next')
      if (options.next === undefined) makeNextRelease(next)
      const old = await startFleet(installation, { name: 'old', directory: repositoryDir })
      const load = await startLoad({ perSecond: options.perSecond, name: 'upgrade' })
      const jobsOnBoth = await upgradeAndBack({ installation, load, old, next, options })
      return judge(installation, load, jobsOnBoth)
    },
  )

type Upgrade = {
  installation: UpgradeInstallation
  load: SteadyLoad
  old: Fleet
  next: string
  options: UpgradeOptions
}

async function upgradeAndBack({ installation, load, old, next, options }: Upgrade): Promise<number> {
  const { print } = options
  const shiftMs = warmUpMs(options.perSecond)
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
  const upgraded = await roll(installation, old, { name: 'new', directory: next, shiftMs }, print)
  await steady('release N+1')
  load.begin('roll back to N')
  const back = await roll(
    installation,
    upgraded.fleet,
    { name: 'back', directory: repositoryDir, shiftMs },
    print,
  )
  await steady('release N again')
  return Math.max(upgraded.jobsOnBoth, back.jobsOnBoth)
}

const seconds = (since: number): string => ((performance.now() - since) / secondMs).toFixed(1)

/** As docs/operations.md says: the apis one after the other, then workers at a new address, the old ones until they are idle. */
async function roll(
  installation: UpgradeInstallation,
  old: Fleet,
  release: { name: string; directory: string; shiftMs: number },
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
  const judged = await judgeLoad(installation, load)
  const { rows } = await installation.owner.query<{ count: number }>(
    `select count(*)::integer as count from payments where to_jsonb(payments) ->> '${addedColumn}' = 'next'`,
  )
  return {
    phases: judged.phases,
    acknowledged: load.acknowledged.length,
    jobsOnBoth,
    withColumn: rows[0]?.count ?? 0,
    quietMs: judged.quietMs,
    problems: [...judged.problems, ...undoneProblems(judged)],
  }
}
