import { writeFileSync } from 'node:fs'
import { startProgram, type Env, type Program, type ProgramOptions } from '@switchyard/stack/programs.ts'
import { sendSignal } from '@switchyard/stack/services/process-table.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { limits } from './limits.ts'

/** Something that can be killed, stopped and started again on the same address. */
export type Part = {
  readonly name: string
  kill(): Promise<void>
  pause(): void
  resume(): void
  start(): Promise<void>
  /** Ends it at the next pass of a named point; false when it was not passed in time and it was killed instead. */
  killAt?(point: string): Promise<boolean>
  stop(): Promise<void>
}

export type NodePart = {
  name: string
  file: string
  env: Env
  readyUrl: string
  pointFile: string
  options: ProgramOptions
  onDeath: (how: string) => void
}

export function nodePart({ name, file, env, readyUrl, pointFile, options, onDeath }: NodePart): Part {
  let program: Program | undefined
  let isExpected = false
  const running = (): Program => {
    if (!program) throw new Error(`${name} was never started`)
    return program
  }
  const kill = async (): Promise<void> => {
    isExpected = true
    running().signal('SIGKILL')
    await running().exited
  }
  return {
    name,
    kill,
    pause: () => running().signal('SIGSTOP'),
    resume: () => running().signal('SIGCONT'),
    async start() {
      const started = await startProgram(file, { ...env, CRASH_POINT_FILE: pointFile }, options)
      program = started
      isExpected = false
      started.exited.then(({ code, signal }) => {
        if (!isExpected && program === started)
          onDeath(`${signal ?? code}\n${started.output().slice(-2_000)}`)
      }, onDeath)
      await started.untilReady(readyUrl)
    },
    async killAt(point) {
      isExpected = true
      writeFileSync(pointFile, point)
      running().signal('SIGUSR2')
      const passed = await waitUntil(() => !running().isRunning(), {
        timeoutMs: limits.armedMs,
        what: `${name} to pass ${point}`,
      }).catch(() => false)
      if (!passed) await kill()
      return passed
    },
    async stop() {
      isExpected = true
      program?.signal('SIGCONT')
      await program?.stop()
    },
  }
}

type Service = {
  readonly pid: number
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export const servicePart = (name: string, service: Service): Part => ({
  name,
  kill: () => service.kill(),
  pause: () => sendSignal(service.pid, 'SIGSTOP'),
  resume: () => sendSignal(service.pid, 'SIGCONT'),
  start: () => service.start(),
  stop: () => service.stop(),
})
