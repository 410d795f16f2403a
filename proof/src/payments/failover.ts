import { join } from 'node:path'
import { Client } from 'pg'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { copyPostgres, writeOwned } from './backups.ts'
import { checkAll, type Checked } from './check.ts'
import { explain } from './explain.ts'
import { limits } from '../shared/limits.ts'
import { makePlan } from './plan.ts'
import type { ScenarioResult } from './report.ts'
import { drive, openStage } from './run.ts'
import { startSaboteur, type Fault } from '../shared/saboteur.ts'
import { startPaymentsInstallation, type PaymentsInstallation } from './installation.ts'

export type ScenarioOptions = { payments: number; seed: number }

/** Kills the primary under load and lets a synchronous standby take over. */
export async function runFailover(
  options: ScenarioOptions,
  print: (line: string) => void,
): Promise<ScenarioResult> {
  const scratch = await scratchDir()
  const installation = await startPaymentsInstallation({ directory: scratch.path, isDatabaseForwarded: true })
  const stage = await openStage(installation, installation.apiUrls)
  const standby = await startStandby(installation, scratch.path)
  try {
    const { payments } = makePlan({ ...options, kills: 0, faults: [] })
    const faults: Fault[] = []
    const saboteur = startSaboteur(installation, [], print)
    const driving = drive(stage.customers, saboteur, payments)
    const { told } = stage.customers
    await waitUntil(() => told.acknowledged.length >= options.payments / 3, {
      timeoutMs: limits.quietMs,
      what: 'a third of the payments',
    })
    const acknowledged = told.acknowledged.length
    const atMs = Date.now()
    await takeOver(installation, standby)
    const promotedMs = Date.now() - atMs
    await waitUntil(() => told.acknowledged.length > acknowledged, {
      timeoutMs: limits.quietMs,
      what: 'a payment',
    })
    const answeredMs = Date.now() - atMs
    faults.push({ atMs, text: 'kill -9 postgres, standby promoted', kind: 'kill', part: 'postgres' })
    await driving
    const checked: Checked = { ...stage, installation, told, kills: 1 }
    const quiet = await checkAll(checked)
    return {
      rows: [
        [
          'payments acknowledged',
          `${told.acknowledged.length}, of these ${acknowledged} before the primary was killed`,
        ],
        ['primary killed until the standby takes writes', `${(promotedMs / 1_000).toFixed(1)} s`],
        ['primary killed until the next payment is answered', `${(answeredMs / 1_000).toFixed(1)} s`],
        ['violations', String(quiet.violations.length)],
      ],
      problems: await explain(checked, quiet, faults),
    }
  } finally {
    await stage.stop()
    await installation.stop()
    await standby.stop()
    await scratch.remove()
  }
}

/** Once this returns, the primary confirms a commit only after the standby has it too. */
async function startStandby(installation: PaymentsInstallation, directory: string): Promise<Postgres> {
  const dataDir = join(directory, 'standby')
  await copyPostgres(installation.postgres.url, join(directory, 'postgres'), dataDir)
  await writeOwned(dataDir, 'standby.signal', '')
  const standby = await startPostgres({
    dataDir,
    port: await freePort(),
    settings: {
      primary_conninfo: `host=${loopback} port=${installation.postgres.port} user=postgres password=postgres application_name=standby`,
    },
  })
  await ask(installation.postgres.url, `alter system set synchronous_standby_names = 'standby'`)
  await ask(installation.postgres.url, 'select pg_reload_conf()')
  await waitUntil(
    async () =>
      (await ask(installation.postgres.url, `select from pg_stat_replication where sync_state = 'sync'`)) ===
      1,
    { timeoutMs: limits.restartMs, what: 'the standby to be synchronous', intervalMs: 100 },
  )
  return standby
}

/** Does what a cluster manager does: fence the old primary, promote the standby, move the address. */
async function takeOver(installation: PaymentsInstallation, standby: Postgres): Promise<void> {
  await installation.postgres.kill()
  installation.databaseForwarder?.retarget([])
  installation.databaseForwarder?.cut()
  await ask(standby.url, 'select pg_promote()')
  installation.databaseForwarder?.retarget([standby.port])
}

async function ask(url: string, statement: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
