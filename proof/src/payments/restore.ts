import { join } from 'node:path'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { copyDirectory, copyPostgres } from './backups.ts'
import { checkAll, untilQuiet, type Checked, type Quiet } from './check.ts'
import { auditViolations } from './audit-check.ts'
import { limits } from '../shared/limits.ts'
import { lostCharges, reconcileLost } from './reconcile-lost.ts'
import type { Acceptance } from './evidence.ts'
import { explain } from './explain.ts'
import type { ScenarioOptions } from './failover.ts'
import { makePlan, type PlannedPayment } from './plan.ts'
import type { ScenarioResult } from './report.ts'
import { drive, openStage, type Stage } from './run.ts'
import { partOf, startSaboteur } from '../shared/saboteur.ts'
import { startPaymentsInstallation, type PaymentsInstallation } from './installation.ts'

type Setting = {
  installation: PaymentsInstallation
  stage: Stage
  directory: string
  payments: readonly PlannedPayment[]
}

/** Restores Postgres and the engine from backups of different times, then runs `npm run rebuild`. */
export async function runRestore(
  options: ScenarioOptions,
  print: (line: string) => void,
): Promise<ScenarioResult> {
  const results: ScenarioResult[] = []
  for (const scenario of [engineEarlier, postgresEarlier]) {
    const scratch = await scratchDir()
    const installation = await startPaymentsInstallation({ directory: scratch.path })
    const stage = await openStage(installation, installation.apiUrls)
    try {
      const { payments } = makePlan({ ...options, kills: 0, faults: [] })
      results.push(await scenario({ installation, stage, directory: scratch.path, payments }))
      print(
        results
          .at(-1)
          ?.rows.map((row) => row.join(': '))
          .join('; ') ?? '',
      )
    } finally {
      await stage.stop()
      await installation.stop()
      await scratch.remove()
    }
  }
  return { rows: results.flatMap(({ rows }) => rows), problems: results.flatMap(({ problems }) => problems) }
}

const play = ({ installation, stage }: Setting, payments: readonly PlannedPayment[]): Promise<void> =>
  drive(
    stage.customers,
    startSaboteur(installation, [], () => undefined),
    payments,
  )

const halves = (payments: readonly PlannedPayment[]): [PlannedPayment[], PlannedPayment[]] => {
  const middle = Math.floor(payments.length / 2)
  return [payments.slice(0, middle), payments.slice(middle)]
}

const checkedOf = ({ installation, stage }: Setting): Checked => ({
  ...stage,
  installation,
  told: stage.customers.told,
  kills: 5,
})

/** The engine loses all jobs since its backup; Postgres loses nothing. */
async function engineEarlier(setting: Setting): Promise<ScenarioResult> {
  const { installation, payments } = setting
  const [before, after] = halves(payments)
  const nodes = installation.engineNodes
  await play(setting, before)
  await Promise.all(nodes.map((node) => node.stop()))
  for (const { dataDir } of nodes) await copyDirectory(dataDir, `${dataDir}.backup`)
  await Promise.all(nodes.map((node) => node.start()))
  await play(setting, after)
  await Promise.all(nodes.map((node) => node.kill()))
  for (const { dataDir } of nodes) await copyDirectory(`${dataDir}.backup`, dataDir)
  await Promise.all(nodes.map((node) => node.start()))
  const rebuilt = await installation.rebuild()
  const checked = checkedOf(setting)
  const quiet = await checkAll(checked)
  return {
    rows: [
      ['engine restored to an earlier time: payments', String(checked.told.acknowledged.length)],
      ['  npm run rebuild', rebuilt.trim().replaceAll('\n', ', ')],
      ['  violations of I1 to I15', String(quiet.violations.length)],
    ],
    problems: await explain(checked, quiet, []),
  }
}

/**
 * Postgres has lost the payments since its backup. For all others every invariant holds; charges
 * for lost payments are known to the providers only, and are counted here.
 */
async function postgresEarlier(setting: Setting): Promise<ScenarioResult> {
  const { installation, stage, directory, payments } = setting
  // What a lost batch has paid is known to the providers alone, like any lost payment.
  const [before, after] = halves(payments.map((payment) => ({ ...payment, batch: undefined })))
  const dataDir = join(directory, 'postgres')
  const startedAt = new Date()
  await play(setting, before)
  const kept = [...stage.customers.told.acknowledged]
  await copyPostgres(installation.postgres.url, dataDir, `${dataDir}.backup`)
  await play(setting, after)
  const lost = stage.customers.told.acknowledged.length - kept.length
  const nodeParts = (['api-0', 'api-1', 'worker-0', 'worker-1'] as const).map((name) =>
    partOf(installation, name),
  )
  await Promise.all(nodeParts.map((part) => part.kill()))
  await installation.postgres.kill()
  await copyDirectory(`${dataDir}.backup`, dataDir)
  await installation.postgres.start()
  // The customers and their endpoints remember payments and events that are not in the backup.
  stage.customers.told.acknowledged.splice(0, Infinity, ...kept)
  await forgetLostEvents(setting)
  await Promise.all(nodeParts.map((part) => part.start()))
  const rebuilt = await installation.rebuild()
  const checked = checkedOf(setting)
  const quiet = await knownOnly(checked, await untilQuiet(checked, limits.restoredQuietMs))
  return {
    rows: [
      ['Postgres restored to an earlier time: payments kept, lost', `${kept.length}, ${lost}`],
      ['  npm run rebuild', rebuilt.trim().replaceAll('\n', ', ')],
      ['  charges of lost payments, known to providers alone', String(unknownCharges(quiet))],
      ['  of these, found by the reconciliation', await reconciledCharges(installation, quiet, startedAt)],
      ['  violations of I1 to I13 and I15 among those kept', String(quiet.violations.length)],
    ],
    problems: await explain(checked, quiet, []),
  }
}

/** Drops the violations that the restore explains: transactions that only the provider still has. */
async function knownOnly(checked: Checked, quiet: Quiet): Promise<Quiet> {
  const lostHere = (invariant: string, subject: string): boolean =>
    invariant === 'I4' || (invariant === 'I7' && !subject.includes('-'))
  const audit = await auditViolations(checked.installation.owner)
  return {
    ...quiet,
    violations: [...quiet.violations, ...audit].filter(
      ({ invariant, subject }) => !lostHere(invariant, subject),
    ),
  }
}

const unknownOnes = ({ evidence }: Quiet): Acceptance[] => lostCharges(evidence)

const unknownCharges = (quiet: Quiet): number => unknownOnes(quiet).length

async function forgetLostEvents({ installation, stage }: Setting): Promise<void> {
  const { rows } = await installation.owner.query<{ id: string }>('select event_id as id from events')
  const known = new Set(rows.map(({ id }) => id))
  const { receiver } = stage.receivers
  const kept = receiver.received.filter(({ headers }) => known.has(String(headers['webhook-id'])))
  receiver.received.splice(0, Infinity, ...kept)
}

/** How many of the charges for lost payments the reconciliation finds, by provider. */
async function reconciledCharges({ env }: PaymentsInstallation, quiet: Quiet, since: Date): Promise<string> {
  const found = await reconcileLost(env, unknownOnes(quiet), since)
  const told = found.map(({ provider, charges, found: seen }) =>
    seen === undefined ? `${provider} lists none of its ${charges}` : `${provider} ${seen} of ${charges}`,
  )
  return told.toSorted().join(', ') || 'there are none'
}
