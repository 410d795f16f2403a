import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'pg'
import { z } from 'zod'
import { newId } from '@switchyard/server/lib/ids.ts'
import {
  baseEnv,
  mainFile,
  migratedDatabase,
  runProgram,
  startApi,
  startProgram,
  type Env,
  type Program,
} from '@switchyard/stack/programs.ts'
import { seed, type SeedResult } from '@switchyard/stack/seeds/seed.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { startRestate, type Restate } from '@switchyard/stack/services/restate.ts'
import { answersOk, waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startMailbox, type Mailbox } from './mailbox.ts'

/** A whole installation of real processes, whose worker is started and ended by the scenarios. */
export type World = {
  readonly mailbox: Mailbox
  readonly restate: Restate
  /** Adds a member over HTTP and gives the address that the welcome notice goes to. */
  addMember(): Promise<string>
  startWorker(): Promise<Program>
  startCrashing(part: 'worker' | 'relay', point: 'claimed' | 'handed_over'): Promise<Program>
  /** What `npm run rebuild` prints. */
  rebuild(): Promise<string>
  /** kill -9, all of its data gone, started again. */
  wipeEngine(): Promise<void>
  isRegistered(): Promise<boolean>
  isSent(emails: readonly string[]): Promise<boolean>
  hasAttempts(emails: readonly string[]): Promise<boolean>
  /** An attempt has failed since the engine's last start, or a second mail has come. */
  hasTriedAgain(): Promise<boolean>
  /** No notice is in the outbox or under way in the engine. */
  isQuiet(): Promise<boolean>
  notificationIds(): Promise<string[]>
  /** All that the engine stores of its jobs. */
  engineText(): Promise<string>
  stop(): Promise<void>
}

export type WorldOptions = { dataDir: string; leaseSeconds?: number }

const crashingFile = join(import.meta.dirname, 'crashing-process.ts')

/** When a part does not start, those before it end with this process. */
export async function startWorld({ dataDir, leaseSeconds }: WorldOptions): Promise<World> {
  const [postgres, restate, mailbox] = await Promise.all([
    startPostgres({
      dataDir: join(dataDir, 'postgres'),
      port: await freePort(),
      fast: true,
      settings: { synchronous_commit: 'on' },
    }),
    startRestate({
      dataDir: join(dataDir, 'restate'),
      identityKeyFile: join(dataDir, 'identity-key.pem'),
      ingressPort: await freePort(),
      adminPort: await freePort(),
      nodePort: await freePort(),
    }),
    startMailbox(await freePort()),
  ])
  const { ownerUrl, env, metricsUrl } = await configure({ postgres, restate, mailbox })
  const people = await seed(env)
  const api = await startApi(env)
  const owner = new Pool({ connectionString: ownerUrl })
  const startReady = async (file: string, change: Env = {}): Promise<Program> => {
    const program = await startProgram(file, { ...env, ...change })
    await program.untilReady(`${metricsUrl}/readyz`)
    return program
  }
  return {
    mailbox,
    restate,
    ...questions(owner, { restate, mailbox }),
    addMember: () => addMember(api.url, people),
    startWorker: () => startReady(mainFile('worker')),
    async startCrashing(part, point) {
      const lease: Env = leaseSeconds === undefined ? {} : { CRASH_LEASE_SECONDS: String(leaseSeconds) }
      const change = { CRASH_PART: part, CRASH_POINT: point, ...lease }
      const program =
        part === 'worker'
          ? await startReady(crashingFile, change)
          : await startProgram(crashingFile, { ...env, ...change })
      await says(program, 'ready')
      program.signal('SIGUSR2')
      await says(program, 'armed')
      return program
    },
    rebuild: () => runProgram(mainFile('rebuild'), env),
    async wipeEngine() {
      await restate.kill()
      await rm(join(dataDir, 'restate'), { recursive: true, force: true })
      await restate.start()
    },
    async stop() {
      await owner.end()
      await api.program.stop()
      await mailbox.stop()
      await Promise.all([restate.stop(), postgres.stop()])
    },
  }
}

type Services = { postgres: Postgres; restate: Restate; mailbox: Mailbox }

async function configure({
  postgres,
  restate,
  mailbox,
}: Services): Promise<{ ownerUrl: string; env: Env; metricsUrl: string }> {
  const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
  const [workerPort, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...baseEnv,
    ...urls,
    ENGINE_INGRESS_URL: restate.ingressUrl,
    ENGINE_ADMIN_URL: restate.adminUrl,
    ENGINE_IDENTITY_KEYS: restate.identityKey,
    ENGINE_WORKER_URL: `http://${loopback}:${workerPort}`,
    WORKER_PORT: String(workerPort),
    METRICS_PORT: String(metricsPort),
    SMTP_URL: mailbox.smtpUrl,
  }
  return { ownerUrl, env, metricsUrl: `http://${loopback}:${metricsPort}` }
}

async function addMember(apiUrl: string, people: SeedResult): Promise<string> {
  const [org] = people.orgs
  const admin = org?.members.find(({ role }) => role === 'org-admin')
  if (!org || !admin) throw new Error('the seed has no administrator')
  const email = `${newId()}@crash.test`
  const response = await fetch(`${apiUrl}/v1/organizations/${org.org_id}/members`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'NONE', 'x-api-key': admin.api_key },
    body: JSON.stringify({ user_id: newId(), email, first_name: 'Crash', last_name: 'Test', role: 'staff' }),
  })
  if (response.status !== 201)
    throw new Error(`the api answered ${response.status}: ${await response.text()}`)
  return email
}

type Questions = Pick<
  World,
  'isRegistered' | 'isSent' | 'hasAttempts' | 'hasTriedAgain' | 'isQuiet' | 'notificationIds' | 'engineText'
>

function questions(owner: Pool, { restate, mailbox }: Pick<World, 'restate' | 'mailbox'>): Questions {
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await owner.query(sql, values)).rowCount ?? 0
  return {
    isRegistered: () => answersOk(`${restate.adminUrl}/services/Notifications`),
    isSent: async (emails) =>
      (await count(`select from notifications where status = 'sent' and recipient = any($1)`, [emails])) ===
      emails.length,
    hasAttempts: async (emails) =>
      (await count(`select from notifications where attempts > 0 and recipient = any($1)`, [emails])) ===
      emails.length,
    hasTriedAgain: async () =>
      mailbox.held() > 1 || ((await openJobs(restate, 'last_failure is not null')) ?? 0) > 0,
    isQuiet: async () =>
      (await count(`select from outbox where service = 'Notifications'`)) === 0 &&
      (await openJobs(restate)) === 0,
    engineText: () => engineText(restate),
    async notificationIds() {
      const { rows } = await owner.query<{ id: string }>('select notification_id as id from notifications')
      return rows.map(({ id }) => id)
    },
  }
}

/** Undefined while the engine cannot say, as just after its start. */
async function openJobs(restate: Restate, condition = 'true'): Promise<number | undefined> {
  const where = `target_service_name = 'Notifications' and status <> 'completed' and ${condition}`
  return (await queryEngine(restate, `select id from sys_invocation where ${where}`))?.length
}

const engineTables = ['sys_invocation', 'sys_journal', 'sys_journal_events']

/** By the engine's own SQL: its files are compressed, so a search in them would prove nothing. */
async function engineText(restate: Restate): Promise<string> {
  const tables = await Promise.all(
    engineTables.map((table) => queryEngine(restate, `select * from ${table}`)),
  )
  const rows = tables.flatMap((table) => table ?? [])
  const raw = rows.map(({ raw: hex }) =>
    typeof hex === 'string' ? Buffer.from(hex, 'hex').toString('latin1') : '',
  )
  return [JSON.stringify(rows), ...raw].join('\n')
}

const queryAnswer = z.object({ rows: z.array(z.record(z.string(), z.unknown())) })

async function queryEngine(
  { adminUrl }: Restate,
  query: string,
): Promise<Record<string, unknown>[] | undefined> {
  const response = await fetch(`${adminUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })
  const answer: unknown = await response.json()
  return response.ok ? queryAnswer.parse(answer).rows : undefined
}

const says = (program: Program, word: string): Promise<boolean> =>
  waitUntil(
    () => {
      if (!program.isRunning())
        throw new Error(`the program ended before it said ${word}:\n${program.output()}`)
      return program.output().includes(`${word}\n`)
    },
    { timeoutMs: 30_000, what: `the program to say ${word}` },
  )
