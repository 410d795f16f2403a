import type { ManagedProcess } from '@switchyard/stack/installation/managed-process.ts'
import type { Chance } from '../shared/chance.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import type { EngineInstallation } from './installation.ts'

type RunResult = {
  emails: string[]
  /** Those whose mail had not arrived when the time was up. */
  missing: string[]
  recoveryMs: number
  problem?: string
}

export type Scenario = {
  name: string
  /** How many times it runs for `--runs` of this many. */
  runs(wanted: number): number
  run(installation: EngineInstallation, stage: Stage, chance: Chance): Promise<RunResult>
}

/** The worker that is running now, if any. A scenario leaves its worker running for the next one. */
export type Stage = { worker?: ManagedProcess | undefined }

const recoveryLimitMs = 60_000
const openJobs = 20

export const scenarios: readonly Scenario[] = [
  { name: 'worker killed before the hand-over', runs: (wanted) => wanted, run: killBeforeHandOver },
  { name: 'relay killed after the hand-over', runs: (wanted) => wanted, run: killAfterHandOver },
  { name: 'engine killed in the middle of a job', runs: (wanted) => wanted, run: killEngine },
  {
    name: `engine's data deleted, ${openJobs} jobs open`,
    runs: (wanted) => Math.max(1, Math.round(wanted / 10)),
    run: deleteEngineData,
  },
]

/** Before the first crash, a worker runs and the notifications of the seed are sent. */
export async function setStage(installation: EngineInstallation): Promise<Stage> {
  const stage: Stage = { worker: await installation.startWorker() }
  await until('the notifications of the seed to be sent', () => installation.isIdle())
  return stage
}

async function killBeforeHandOver(
  installation: EngineInstallation,
  stage: Stage,
  chance: Chance,
): Promise<RunResult> {
  const email =
    chance() < 0.5 ? await killBeforeClaim(installation, stage) : await killAfterClaim(installation, stage)
  const startedAt = performance.now()
  stage.worker = await installation.startWorker()
  return recovered(installation, [email], startedAt)
}

/** The row is committed while the worker is paused, so the worker never reads it. */
async function killBeforeClaim(installation: EngineInstallation, stage: Stage): Promise<string> {
  const worker = await runningWorker(installation, stage)
  worker.pause()
  const email = await installation.addMember()
  await kill(worker, stage)
  return email
}

/** The worker dies after it has claimed the row and before the hand-over. */
async function killAfterClaim(installation: EngineInstallation, stage: Stage): Promise<string> {
  if (stage.worker) await kill(stage.worker, stage)
  const worker = await installation.startCrashing('worker', 'claimed')
  const email = await installation.addMember()
  await diedByKill(worker)
  return email
}

/** The engine has the job but the row still exists, so the next relay hands it over a second time. */
async function killAfterHandOver(installation: EngineInstallation, stage: Stage): Promise<RunResult> {
  const worker = await runningWorker(installation, stage)
  worker.pause()
  const relay = await installation.startCrashing('relay', 'handed_over')
  const email = await installation.addMember()
  await diedByKill(relay)
  const startedAt = performance.now()
  worker.resume()
  return recovered(installation, [email], startedAt)
}

/**
 * The mail server has the mail but has not answered. It answers before the engine is back, or only after the engine
 * has retried the step while the first attempt is still open.
 */
async function killEngine(
  installation: EngineInstallation,
  stage: Stage,
  chance: Chance,
): Promise<RunResult> {
  await runningWorker(installation, stage)
  installation.mailbox.hold()
  const email = await installation.addMember()
  await until('the mail to reach the mail server', () => installation.mailbox.held() > 0)
  const startedAt = performance.now()
  await installation.engine.kill()
  const answersFirst = chance() < 0.5
  if (answersFirst) installation.mailbox.release()
  await installation.engine.start()
  if (!answersFirst) await until('the engine to retry', () => installation.hasRetried())
  installation.mailbox.release()
  return recovered(installation, [email], startedAt)
}

/** Every job has failed once and waits for its next attempt when the engine loses all of them. */
async function deleteEngineData(installation: EngineInstallation, stage: Stage): Promise<RunResult> {
  await runningWorker(installation, stage)
  installation.mailbox.refuse()
  const emails: string[] = []
  for (let count = 0; count < openJobs; count += 1) emails.push(await installation.addMember())
  await until('every job to fail once', () => installation.hasAttempts(emails))
  const startedAt = performance.now()
  await installation.wipeEngine()
  installation.mailbox.accept()
  await until('the worker to register by itself', () => installation.isRegistered())
  await installation.rebuild()
  return recovered(installation, emails, startedAt)
}

async function recovered(
  installation: EngineInstallation,
  emails: string[],
  startedAt: number,
): Promise<RunResult> {
  try {
    await until('every mail to be sent', () => installation.isSent(emails))
    const recoveryMs = performance.now() - startedAt
    // A second mail could only come from an open job, or from a row that is handed over again.
    await until('all work to be finished', () => installation.isIdle())
    return { emails, missing: [], recoveryMs }
  } catch (error) {
    const missing = emails.filter((email) => !installation.mailbox.counts().has(email))
    return { emails, missing, recoveryMs: performance.now() - startedAt, problem: String(error) }
  }
}

async function runningWorker(installation: EngineInstallation, stage: Stage): Promise<ManagedProcess> {
  return (stage.worker ??= await installation.startWorker())
}

async function kill(worker: ManagedProcess, stage: Stage): Promise<void> {
  await worker.kill()
  stage.worker = undefined
}

async function diedByKill({ program }: ManagedProcess): Promise<void> {
  await until('the program to crash', () => !program.isRunning())
  const { signal, code } = await program.exited
  if (signal !== 'SIGKILL') throw new Error(`the program exited with ${signal ?? code}:\n${program.output()}`)
}

const until = (what: string, condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  waitUntil(condition, { timeoutMs: recoveryLimitMs, what })
