import type { Program } from '@switchyard/stack/programs.ts'
import type { Chance } from '../crash/chance.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import type { World } from './world.ts'

export type RunResult = {
  emails: string[]
  /** Those whose mail had not come when the time was up. */
  missing: string[]
  recoveryMs: number
  problem?: string
}

export type Scenario = {
  name: string
  /** How many times it runs for `--runs` of this many. */
  runs(wanted: number): number
  run(world: World, stage: Stage, chance: Chance): Promise<RunResult>
}

/** The worker that is running now, if any; scenarios leave one behind for the next. */
export type Stage = { worker?: Program | undefined }

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

/** Before the first crash: a worker runs, and the notices of the seed are sent. */
export async function setStage(world: World): Promise<Stage> {
  const stage: Stage = { worker: await world.startWorker() }
  await until('the notices of the seed to be sent', () => world.isQuiet())
  return stage
}

async function killBeforeHandOver(world: World, stage: Stage, chance: Chance): Promise<RunResult> {
  const email = chance() < 0.5 ? await killBeforeClaim(world, stage) : await killAfterClaim(world, stage)
  const startedAt = performance.now()
  stage.worker = await world.startWorker()
  return recovered(world, [email], startedAt)
}

/** The row is committed while the worker stands still, and the worker never gets to see it. */
async function killBeforeClaim(world: World, stage: Stage): Promise<string> {
  const worker = await runningWorker(world, stage)
  worker.signal('SIGSTOP')
  const email = await world.addMember()
  await kill(worker, stage)
  return email
}

/** The worker dies between its claim of the row and the hand-over. */
async function killAfterClaim(world: World, stage: Stage): Promise<string> {
  if (stage.worker) await kill(stage.worker, stage)
  const worker = await world.startCrashing('worker', 'claimed')
  const email = await world.addMember()
  await diedByKill(worker)
  return email
}

/** The engine has the job, the row is still there, and the next relay hands it over a second time. */
async function killAfterHandOver(world: World, stage: Stage): Promise<RunResult> {
  const worker = await runningWorker(world, stage)
  worker.signal('SIGSTOP')
  const relay = await world.startCrashing('relay', 'handed_over')
  const email = await world.addMember()
  await diedByKill(relay)
  const startedAt = performance.now()
  worker.signal('SIGCONT')
  return recovered(world, [email], startedAt)
}

/**
 * The mail is with the mail server, which has not answered yet. It answers before the engine is back, or only
 * after the engine has tried the step again beside the first attempt.
 */
async function killEngine(world: World, stage: Stage, chance: Chance): Promise<RunResult> {
  await runningWorker(world, stage)
  world.mailbox.hold()
  const email = await world.addMember()
  await until('the mail to be on its way', () => world.mailbox.held() > 0)
  const startedAt = performance.now()
  await world.restate.kill()
  const answersFirst = chance() < 0.5
  if (answersFirst) world.mailbox.release()
  await world.restate.start()
  if (!answersFirst) await until('the engine to try again', () => world.hasTriedAgain())
  world.mailbox.release()
  return recovered(world, [email], startedAt)
}

/** Every job has failed once and waits in the engine for its next attempt, which then forgets all of them. */
async function deleteEngineData(world: World, stage: Stage): Promise<RunResult> {
  await runningWorker(world, stage)
  world.mailbox.refuse()
  const emails: string[] = []
  for (let count = 0; count < openJobs; count += 1) emails.push(await world.addMember())
  await until('every job to fail once', () => world.hasAttempts(emails))
  const startedAt = performance.now()
  await world.wipeEngine()
  world.mailbox.accept()
  await until('the worker to register by itself', () => world.isRegistered())
  await world.rebuild()
  return recovered(world, emails, startedAt)
}

async function recovered(world: World, emails: string[], startedAt: number): Promise<RunResult> {
  try {
    await until('every mail to be sent', () => world.isSent(emails))
    const recoveryMs = performance.now() - startedAt
    // A second mail would come from a job that is still open, or from a row that is handed over again.
    await until('all work to be over', () => world.isQuiet())
    return { emails, missing: [], recoveryMs }
  } catch (error) {
    const missing = emails.filter((email) => !world.mailbox.counts().has(email))
    return { emails, missing, recoveryMs: performance.now() - startedAt, problem: String(error) }
  }
}

async function runningWorker(world: World, stage: Stage): Promise<Program> {
  return (stage.worker ??= await world.startWorker())
}

async function kill(worker: Program, stage: Stage): Promise<void> {
  worker.signal('SIGKILL')
  await worker.exited
  stage.worker = undefined
}

async function diedByKill(program: Program): Promise<void> {
  await until('the program to crash', () => !program.isRunning())
  const { signal, code } = await program.exited
  if (signal !== 'SIGKILL') throw new Error(`the program ended by ${signal ?? code}:\n${program.output()}`)
}

const until = (what: string, condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  waitUntil(condition, { timeoutMs: recoveryLimitMs, what })
