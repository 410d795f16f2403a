import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Env } from '../programs.ts'
import { endProcess, sendSignal, type EndStep } from '../services/process-table.ts'
import { guard } from '../services/service-process.ts'
import { answersOk, waitUntil } from '../services/wait-until.ts'

export type WatchedProgram = {
  readonly name: string
  readonly pid: number
  /** Fails as soon as the program fails or the signal aborts. */
  waitUntilReady(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
  killNow(): void
}

/** The program is ready when `readyUrl` answers 2xx. */
type WatchedOptions = {
  name: string
  file: string
  env: Env
  readyUrl: string
  onLine?: (line: string) => void
}

const run = promisify(execFile)
const runTimeoutMs = 120_000
const readyTimeoutMs = 60_000
const maxOutputBytes = 10 * 1024 * 1024

const endSteps: EndStep[] = [{ signal: 'SIGTERM', waitMs: 15_000 }]

/** Runs a program until it exits. */
export async function runProgram(file: string, env: Env): Promise<void> {
  const options = { env: { ...process.env, ...env }, timeout: runTimeoutMs, maxBuffer: maxOutputBytes }
  await run(process.execPath, [file], options).catch(
    (error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`${file} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}`.trimEnd(), {
        cause: error,
      })
    },
  )
}

/** Runs a program under `node --watch`, in a process group of its own, so that Ctrl-C reaches only the runner. */
export async function startWatched({
  name,
  file,
  env,
  readyUrl,
  onLine,
}: WatchedOptions): Promise<WatchedProgram> {
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', file], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(child, 'spawn')
  const { pid } = child
  if (pid === undefined) throw new Error(`${name} has no pid`)
  child.once('exit', guard(pid, endSteps))
  let broken: string | undefined
  child.once('exit', (code, signal) => (broken = `${name} exited (${signal ?? `code ${code}`})`))
  printLines(child, name, (line) => {
    onLine?.(line)
    if (line.startsWith('Failed running')) broken = `${name} failed at start, see its lines above`
  })

  return {
    name,
    pid,
    async waitUntilReady(signal) {
      const isReady = async () => {
        signal.throwIfAborted()
        if (broken !== undefined) throw new Error(broken)
        return answersOk(readyUrl)
      }
      await waitUntil(isReady, {
        timeoutMs: readyTimeoutMs,
        what: `${name} to be ready at ${readyUrl}`,
        intervalMs: 50,
      })
    },
    async stop() {
      await endProcess(pid, endSteps).catch(() => sendSignal(-pid, 'SIGKILL'))
    },
    killNow: () => sendSignal(-pid, 'SIGKILL'),
  }
}

function printLines(child: ChildProcess, name: string, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface(stream).on('line', (line) => {
      onLine(line)
      console.log(`${name.padEnd(9)} | ${line}`)
    })
  }
}
