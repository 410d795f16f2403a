import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '@switchyard/server/main/deps.ts'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import { mainFile, startProgram } from '@switchyard/stack/programs.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { firstAdmin, operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { watchLedger } from '../payments/evidence.ts'
import { lostCharges, reconcileLost } from '../payments/reconcile-lost.ts'
import type { Violation } from '../payments/violation.ts'
import { createCallOnce, type CallOnce } from '../shared/call-once.ts'
import { checkPayments, formatViolation } from '../shared/check-payments.ts'
import { patient } from '../shared/limits.ts'
import { ghanaians, startSteadyLoad, type Acknowledged, type SteadyLoad } from '../shared/steady-load.ts'
import type { BackupTools } from './backup-tools.ts'
import { provesUnreadable } from './unreadable-backup.ts'

type RestoreOptions = {
  perSecond: number
  /** How long payments run before the moment that is restored, and again after it. */
  seconds: number
  print: (line: string) => void
}

type RestoreReport = { rows: [string, string][]; problems: string[] }

type Drill = RestoreOptions & { tools: BackupTools; installation: Installation<string>; calls: CallOnce }

const secondMs = 1_000
const quietLimitMs = 120 * secondMs
const programs = join(import.meta.dirname, '../shared/programs')

/** Archives WAL while payments run, loses the disk, restores to a moment and rebuilds the engine from nothing. */
export async function runRestore(tools: BackupTools, options: RestoreOptions): Promise<RestoreReport> {
  const calls = createCallOnce()
  const installation = await startInstallation({
    directory: tools.directory,
    postgres: { program: tools.postgresProgram, settings: tools.settings },
    hasMailbox: true,
    simulator: { runsAs: 'process', delayMs: 20 },
    isForwarded: true,
    env: { ...patient, DATABASE_POOL_SIZE: '12' },
    seed: seedCaller,
  })
  try {
    return await drill({ ...options, tools, installation, calls })
  } finally {
    await calls.stop()
    await installation.stop()
  }
}

/** Two organisations and their providers; returns the key of the first one's administrator. */
async function seedCaller(deps: Deps, simulatorUrl: string): Promise<string> {
  const people = await seedAll(deps)
  await seedProviders(deps, operatorOf(people), simulatorUrl)
  return firstAdmin(people).apiKey
}

async function drill(setting: Drill): Promise<RestoreReport> {
  const { tools, installation, print } = setting
  const startedAt = new Date()
  await watchLedger(installation.owner)
  await tools.configure(installation.postgres.port)
  print(await tools.versions())
  await tools.pgbackrest('stanza-create')
  await tools.pgbackrest('check')
  await tools.pgbackrest('--type=full', 'backup')
  const nodes = await startNodes(installation)
  const { load, moment } = await payUntilTheDiskIsLost(setting)
  const lostAt = performance.now()
  const since = (): string => ((performance.now() - lostAt) / secondMs).toFixed(1)
  await Promise.all([...nodes.map((node) => node.kill()), installation.engine.kill()])
  await rm(installation.engine.dataDir, { recursive: true, force: true })
  print(`the disk of Postgres and the engine are lost; restoring to ${moment.toISOString()}`)
  const target = moment.toISOString().replace('T', ' ').replace('Z', '+00')
  await tools.pgbackrest('--type=time', `--target=${target}`, '--target-action=promote', 'restore')
  const restored = since()
  await Promise.all([installation.engine.start(), installation.postgres.start()])
  await untilPromoted(installation)
  const promoted = since()
  const problems = [...(await refusesWrongKey(installation)), ...(await provesUnreadable(tools))]
  const judgedAt = performance.now()
  await Promise.all(nodes.map((node) => node.start()))
  const rebuilt = await installation.run('rebuild')
  await payOnce(setting)
  const ready = ((performance.now() - judgedAt) / secondMs + Number(promoted)).toFixed(1)
  print(`npm run rebuild: ${rebuilt.trim().split('\n').at(-1)}`)
  const judged = await judge(setting, { acknowledged: load.acknowledged, moment, startedAt })
  return {
    rows: [
      ['from the loss until the files are restored', `${restored} s`],
      ['  until Postgres takes writes', `${promoted} s`],
      ['  until a new payment is answered, with the engine rebuilt', `${ready} s`],
      ...judged.rows,
    ],
    problems: [...problems, ...judged.problems],
  }
}

async function startNodes(installation: Installation<string>): Promise<ManagedProcess[]> {
  return Promise.all([
    installation.startApi({ file: join(programs, 'api.ts') }),
    installation.startWorker({ file: join(programs, 'worker.ts') }),
  ])
}

const initiate = ({ installation, calls }: Drill, payment: { body: string; idempotencyKey: string }) =>
  calls.post('/v1/payments-init/initiate', {
    ...payment,
    origin: installation.apiUrl,
    key: installation.seeded,
  })

async function payUntilTheDiskIsLost(setting: Drill): Promise<{ load: SteadyLoad; moment: Date }> {
  const { installation, perSecond, seconds } = setting
  const post = (payment: { body: string; idempotencyKey: string }) => initiate(setting, payment)
  const load = startSteadyLoad({
    perSecond,
    prefix: `kept-${randomUUID().slice(0, 8)}`,
    post,
    payers: ghanaians,
  })
  load.begin('before the moment')
  await delay(seconds * secondMs)
  const moment = await askTime(installation, 'select clock_timestamp() as at')
  load.begin('after the moment')
  await delay(seconds * secondMs)
  // A disk that is lost before the moment was archived would lose the moment too.
  await waitUntil(
    async () =>
      (await askTime(installation, 'select last_archived_time as at from pg_stat_archiver')) > moment,
    { timeoutMs: 60 * secondMs, what: 'the archive to pass the moment' },
  )
  await delay(3 * secondMs)
  load.begin('the disk is lost')
  await installation.postgres.kill()
  await rm(join(installation.directory, 'postgres'), { recursive: true, force: true })
  await load.stop()
  return { load, moment }
}

async function askTime({ owner }: Installation<string>, question: string): Promise<Date> {
  const { rows } = await owner.query<{ at: Date | null }>(question)
  return rows[0]?.at ?? new Date(0)
}

/** A restored server accepts connections before it has reached the moment. */
const untilPromoted = ({ owner }: Installation<string>): Promise<unknown> =>
  waitUntil(
    async () => {
      const asked = await owner
        .query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
        .catch(() => undefined)
      return asked?.rows[0]?.recovering === false
    },
    { timeoutMs: quietLimitMs, what: 'Postgres to reach the moment', intervalMs: 100 },
  )

/** One sentence and no service, rather than payments that fail when they need their provider's keys. */
async function refusesWrongKey({ env }: Installation<string>): Promise<string[]> {
  const ports = { API_PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }
  const wrong = { ...env, ...ports, SECRET_KEY: Buffer.alloc(32, 9).toString('base64') }
  const program = await startProgram(mainFile('api'), wrong)
  const timer = setTimeout(() => program.signal('SIGKILL'), 60 * secondMs)
  const { code } = await program.exited
  clearTimeout(timer)
  const lines = program.output().trim().split('\n')
  const isRight = code === 1 && lines.length === 1 && lines[0]?.startsWith('SECRET_KEY is not the key')
  return isRight ? [] : [`with the wrong SECRET_KEY the api ended with ${code}: ${lines.join(' / ')}`]
}

/** The first payment after the restore, tried until it is answered. */
async function payOnce(setting: Drill): Promise<void> {
  const load = startSteadyLoad({
    perSecond: 2,
    prefix: `first-${randomUUID().slice(0, 8)}`,
    post: (payment) => initiate(setting, payment),
    payers: ghanaians,
  })
  await waitUntil(() => load.acknowledged.length > 0, { timeoutMs: quietLimitMs, what: 'a payment' })
  await load.stop()
}

/** A charge of a lost payment has no attempt here, and is missing from the balance with its provider. */
const isExplained = ({ invariant, subject }: Violation): boolean =>
  invariant === 'I4' || (invariant === 'I7' && !subject.includes('-'))

type Known = { acknowledged: readonly Acknowledged[]; moment: Date; startedAt: Date }

async function judge(
  { installation, print }: Drill,
  { acknowledged, moment, startedAt }: Known,
): Promise<RestoreReport> {
  const { owner, env, simulator } = installation
  const checked = {
    owner,
    simulatorDir: simulator.stateDir,
    receiver: { received: [] },
    endpoints: [],
    isExplained,
  }
  const { evidence, violations } = await checkPayments(checked, quietLimitMs)
  const audit = await installation.run('audit').then(
    () => [],
    (error: unknown) => [`npm run audit: ${String(error)}`],
  )
  const known = new Set(evidence.payments.map(({ paymentId }) => paymentId))
  const lost = acknowledged.filter(({ paymentId }) => !known.has(paymentId))
  const early = lost.filter(({ atMs }) => atMs < moment.getTime())
  const charges = lostCharges(evidence)
  const reconciled = await reconcileLost(env, charges, startedAt)
  const found = reconciled.reduce((sum, one) => sum + (one.found ?? 0), 0)
  print(`reconciliation: ${JSON.stringify(reconciled)}`)
  return {
    rows: [
      ['payments acknowledged', String(acknowledged.length)],
      ['  lost, because they were acknowledged after the moment', String(lost.length - early.length)],
      ['  lost although they were acknowledged before it', String(early.length)],
      ['charges that only the providers know', String(charges.length)],
      ['  of these, found by the reconciliation', String(found)],
      ['violations among the payments that were kept', String(violations.length)],
    ],
    problems: [
      ...early.map(({ paymentId }) => `${paymentId} was acknowledged before the moment and is gone`),
      ...(found < charges.length
        ? [`the reconciliation found ${found} of ${charges.length} lost charges`]
        : []),
      ...(lost.length === 0
        ? ['nothing was lost, so the drill has not shown that a lost payment is found']
        : []),
      ...violations.map(formatViolation),
      ...audit,
    ],
  }
}
