import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { newId } from '@switchyard/server/lib/ids.ts'
import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import type { Env, Program } from '@switchyard/stack/programs.ts'
import { firstAdmin, seedAll } from '@switchyard/stack/seeds/seed.ts'
import type { Mailbox } from '@switchyard/stack/services/mailbox.ts'
import type { EngineNode } from '@switchyard/stack/services/restate-cluster.ts'
import { answersOk, waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'
import { countOpenJobs, readEngineText } from './query-engine.ts'

/** An installation with one api and an SMTP server that the scenarios control. They start and kill the workers. */
export type EngineInstallation = {
  readonly mailbox: Mailbox
  readonly engine: EngineNode
  /** Adds a member through the API and returns the address that the welcome mail is sent to. */
  addMember(): Promise<string>
  startWorker(): Promise<ManagedProcess>
  /** Starts a worker, or a relay alone, that kills itself at the point the next time it gets there. */
  startCrashing(part: 'worker' | 'relay', point: 'claimed' | 'handed_over'): Promise<ManagedProcess>
  /** Runs `npm run rebuild`. */
  rebuild(): Promise<string>
  /** Kills the engine with -9, deletes its data and starts it again. */
  wipeEngine(): Promise<void>
  isRegistered(): Promise<boolean>
  isSent(emails: readonly string[]): Promise<boolean>
  hasAttempts(emails: readonly string[]): Promise<boolean>
  /** Whether a job has failed since the engine started, or a second mail has arrived. */
  hasRetried(): Promise<boolean>
  /** Whether no notification is left in the outbox or in the engine. */
  isIdle(): Promise<boolean>
  notificationIds(): Promise<string[]>
  /** Everything that the engine stores about its jobs. */
  engineText(): Promise<string>
  stop(): Promise<void>
}

const crashingFile = join(import.meta.dirname, 'crashing-process.ts')

export async function startEngineInstallation(leaseSeconds?: number): Promise<EngineInstallation> {
  const installation = await startInstallation({
    postgres: { fast: true, settings: { synchronous_commit: 'on' } },
    hasMailbox: true,
    seed: seedAll,
  })
  const { engine, mailbox, owner, seeded } = installation
  const lease: Env = leaseSeconds === undefined ? {} : { CRASH_LEASE_SECONDS: String(leaseSeconds) }
  try {
    const api = await installation.startApi()
    return {
      mailbox,
      engine,
      ...observations(owner, { engine, mailbox }),
      addMember: () => addMember(api.url, firstAdmin(seeded)),
      startWorker: () => installation.startWorker(),
      async startCrashing(part, point) {
        const process = await installation.startWorker({
          file: crashingFile,
          env: { CRASH_PART: part, CRASH_POINT: point, ...lease },
          isReadyAwaited: part === 'worker',
          isCrashExpected: true,
        })
        await untilPrinted(process.program, 'ready')
        process.program.signal('SIGUSR2')
        await untilPrinted(process.program, 'armed')
        return process
      },
      rebuild: () => installation.run('rebuild'),
      async wipeEngine() {
        await engine.kill()
        await rm(engine.dataDir, { recursive: true, force: true })
        await engine.start()
      },
      stop: () => installation.stop(),
    }
  } catch (error) {
    await installation.stop()
    throw error
  }
}

async function addMember(apiUrl: string, admin: { orgId: string; apiKey: string }): Promise<string> {
  const email = `${newId()}@crash.test`
  const response = await fetch(`${apiUrl}/v1/organizations/${admin.orgId}/members`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'NONE', 'x-api-key': admin.apiKey },
    body: JSON.stringify({ user_id: newId(), email, first_name: 'Crash', last_name: 'Test', role: 'staff' }),
  })
  if (response.status !== 201)
    throw new Error(`the api answered ${response.status}: ${await response.text()}`)
  return email
}

type Observations = Pick<
  EngineInstallation,
  'isRegistered' | 'isSent' | 'hasAttempts' | 'hasRetried' | 'isIdle' | 'notificationIds' | 'engineText'
>

function observations(
  owner: Pool,
  { engine, mailbox }: Pick<EngineInstallation, 'engine' | 'mailbox'>,
): Observations {
  const count = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await owner.query(sql, values)).rowCount ?? 0
  return {
    isRegistered: () => answersOk(`${engine.adminUrl}/services/Notifications`),
    isSent: async (emails) =>
      (await count(`select from notifications where status = 'sent' and recipient = any($1)`, [emails])) ===
      emails.length,
    hasAttempts: async (emails) =>
      (await count(`select from notifications where attempts > 0 and recipient = any($1)`, [emails])) ===
      emails.length,
    hasRetried: async () =>
      mailbox.held() > 1 || ((await countOpenJobs(engine, 'last_failure is not null')) ?? 0) > 0,
    isIdle: async () =>
      (await count(`select from outbox where service = 'Notifications'`)) === 0 &&
      (await countOpenJobs(engine)) === 0,
    engineText: () => readEngineText(engine),
    async notificationIds() {
      const { rows } = await owner.query<{ id: string }>('select notification_id as id from notifications')
      return rows.map(({ id }) => id)
    },
  }
}

const untilPrinted = (program: Program, word: string): Promise<boolean> =>
  waitUntil(
    () => {
      if (!program.isRunning())
        throw new Error(`the program exited before it printed ${word}:\n${program.output()}`)
      return program.output().includes(`${word}\n`)
    },
    { timeoutMs: 30_000, what: `the program to print ${word}` },
  )
