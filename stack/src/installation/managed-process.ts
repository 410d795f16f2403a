import { writeFileSync } from 'node:fs'
import { startProgram, type Env, type Program } from '../programs.ts'
import { waitUntil } from '../services/wait-until.ts'

/** An api or a worker in a process of its own, which can be killed, paused and started again on the same ports. */
export type ManagedProcess = {
  readonly name: string
  /** Where the api, or the worker's endpoint, listens. */
  readonly url: string
  /** The current run, or the last one after the process has exited. */
  readonly program: Program
  isRunning(): boolean
  start(): Promise<void>
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>
  /** Has the process kill itself at the named crash point; false when it was not reached in time, and we killed it. */
  killAt(point: string): Promise<boolean>
  pause(): void
  resume(): void
  stop(): Promise<void>
}

type ProcessDefinition = {
  name: string
  url: string
  file: string
  env: Env
  readyUrl: string
  /** From here the program reads, on SIGUSR2, the name of the point at which it has to kill itself. */
  pointFile: string
  logFile: string
  nodeFlags: readonly string[]
  isReadyAwaited: boolean
  onUnexpectedExit: (description: string) => void
}

const crashPointTimeoutMs = 6_000
const shownOutputChars = 2_000

export function manageProcess(definition: ProcessDefinition): ManagedProcess {
  const { name, pointFile } = definition
  let program: Program | undefined
  let isExitExpected = false
  const running = (): Program => {
    if (!program) throw new Error(`${name} was never started`)
    return program
  }
  const kill = async (): Promise<void> => {
    isExitExpected = true
    running().signal('SIGKILL')
    await running().exited
  }
  return {
    name,
    url: definition.url,
    get program() {
      return running()
    },
    isRunning: () => program?.isRunning() ?? false,
    kill,
    pause: () => running().signal('SIGSTOP'),
    resume: () => running().signal('SIGCONT'),
    async start() {
      const { file, env, logFile, nodeFlags } = definition
      const started = await startProgram(
        file,
        { ...env, CRASH_POINT_FILE: pointFile },
        { nodeFlags, logFile },
      )
      program = started
      isExitExpected = false
      const report = definition.onUnexpectedExit
      started.exited.then(({ code, signal }) => {
        if (isExitExpected || program !== started) return
        report(`${name} exited unexpectedly: ${signal ?? code}\n${started.output().slice(-shownOutputChars)}`)
      }, report)
      if (definition.isReadyAwaited) await started.untilReady(definition.readyUrl)
    },
    async killAt(point) {
      isExitExpected = true
      writeFileSync(pointFile, point)
      running().signal('SIGUSR2')
      const isReached = await waitUntil(() => !running().isRunning(), {
        timeoutMs: crashPointTimeoutMs,
        what: `${name} to reach ${point}`,
      }).catch(() => false)
      if (!isReached) await kill()
      return isReached
    },
    async stop() {
      isExitExpected = true
      program?.signal('SIGCONT')
      await program?.stop()
    },
  }
}
