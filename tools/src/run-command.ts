import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export type Command = {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly timeoutMs: number
  readonly env?: NodeJS.ProcessEnv
  readonly signal?: AbortSignal
}

export type CommandResult = {
  readonly isSuccess: boolean
  /** How it ended, for the report: 'exit code 1', 'no end after 60 s', … */
  readonly ending: string
  readonly stdout: string
  readonly output: string
  readonly durationMs: number
}

export type RunningCommand = {
  readonly finished: Promise<CommandResult>
  readonly stop: () => Promise<void>
}

const outputLimitChars = 1_000_000
const stopGraceMs = 30_000
const leftoverGraceMs = 5_000
const stopPollMs = 50

export async function runCommand(command: Command): Promise<CommandResult> {
  return await startCommand(command).finished
}

/** Runs the program in its own process group, so that its child processes can be ended with it. */
export function startCommand(command: Command): RunningCommand {
  const startedAt = performance.now()
  const child = spawn(command.program, [...command.args], {
    cwd: command.cwd,
    env: { ...(command.env ?? process.env), NO_COLOR: '1', FORCE_COLOR: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const collected = { stdout: '', output: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    collected.stdout = lastPart(collected.stdout + text)
    collected.output = lastPart(collected.output + text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    collected.output = lastPart(collected.output + text)
  })
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`),
    )
  })
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  let stopping: Promise<void> | undefined
  const stop = (graceMs = stopGraceMs): Promise<void> => (stopping ??= endGroup(child.pid, graceMs))
  const finish = async (): Promise<CommandResult> => {
    const ending = await firstEnding(exited, command)
    await stop(ending.startsWith('exit') ? leftoverGraceMs : stopGraceMs)
    await Promise.race([closed, sleep(leftoverGraceMs, undefined, { ref: false })])
    const durationMs = performance.now() - startedAt
    return { isSuccess: ending === 'exit code 0', ending, ...collected, durationMs }
  }
  return { finished: finish(), stop: () => stop() }
}

async function firstEnding(exited: Promise<string>, command: Command): Promise<string> {
  const timer = new AbortController()
  const cancelled = AbortSignal.any([timer.signal, ...(command.signal ? [command.signal] : [])])
  const timeUp = sleep(command.timeoutMs, `no end after ${command.timeoutMs / 1000} s`, { signal: cancelled })
  const ending = await Promise.race([exited, timeUp.catch(() => 'stopped')])
  timer.abort()
  return ending
}

async function endGroup(processId: number | undefined, graceMs: number): Promise<void> {
  if (processId === undefined || !signalGroup(processId, 'SIGTERM')) return
  const deadline = performance.now() + graceMs
  while (performance.now() < deadline) {
    if (!signalGroup(processId, 0)) return
    await sleep(stopPollMs)
  }
  signalGroup(processId, 'SIGKILL')
}

function signalGroup(processId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-processId, signal)
  } catch {
    return false
  }
}

function lastPart(text: string): string {
  return text.slice(-outputLimitChars)
}
