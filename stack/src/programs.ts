import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repositoryDir } from './repository-dir.ts'
import { endProcess, sendSignal } from './services/process-table.ts'
import { guard } from './services/service-process.ts'
import { answersOk, waitUntil } from './services/wait-until.ts'

export type Env = Record<string, string>

export interface Program {
  readonly pid: number
  /** The end of what this run has printed. */
  output(): string
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  isRunning(): boolean
  signal(signal: NodeJS.Signals): void
  /** Waits for a 2xx from the URL; fails as soon as the program exits. */
  untilReady(url: string): Promise<void>
  stop(): Promise<void>
}

const readyTimeoutMs = 90_000
const keptOutputChars = 20_000
const endSteps = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** The path of a program in `server/src/main`, for `startProgram`. */
export const mainFile = (name: 'api' | 'audit' | 'worker' | 'rebuild'): string =>
  fileURLToPath(import.meta.resolve(`@switchyard/server/main/${name}.ts`))

export const simulatorFile = (): string => fileURLToPath(import.meta.resolve('@switchyard/simulator/main.ts'))

/** As docs/operations.md starts the api, which holds about 70 MB: without bounds V8 collects no garbage below 300. */
export const apiNodeOptions = '--max-old-space-size=512 --max-semi-space-size=16'

interface ProgramOptions {
  nodeFlags?: readonly string[]
  /** Receives all output, written by the program itself; without it only the end of the output is kept, in memory. */
  logFile?: string
}

/** Runs a file under Node in a process group of its own. The process is killed when this process exits. */
export async function startProgram(file: string, env: Env, options: ProgramOptions = {}): Promise<Program> {
  const log = options.logFile === undefined ? undefined : openLog(options.logFile)
  const sink = log?.fd ?? 'pipe'
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), file], {
    // All programs of this checkout share it; one that is killed leaves nothing behind in a cache of its own.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(repositoryDir, '.cache/compile'), ...env },
    detached: true,
    stdio: ['ignore', sink, sink],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-keptOutputChars)
    })
  const output = (): string => log?.read() ?? printed
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  try {
    await once(child, 'spawn')
  } finally {
    if (log) closeSync(log.fd)
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${file} has no pid`)
  child.once('exit', guard(pid, [...endSteps]))
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    pid,
    output,
    exited,
    isRunning,
    signal: (signal) => sendSignal(pid, signal),
    async untilReady(url) {
      const isReady = async (): Promise<boolean> => {
        if (!isRunning()) throw new Error(`${file} exited:\n${output()}`)
        return answersOk(url)
      }
      await waitUntil(isReady, { timeoutMs: readyTimeoutMs, what: `${file} to be ready` })
    },
    async stop() {
      if (isRunning()) await endProcess(pid, [...endSteps])
      await exited
    },
  }
}

/** Earlier runs may have written to the same file, so `read` begins where this run does. */
function openLog(path: string): { fd: number; read(): string } {
  const fd = openSync(path, 'a')
  const { size } = fstatSync(fd)
  return { fd, read: () => readFileSync(path).subarray(size).toString('utf8').slice(-keptOutputChars) }
}

/** Runs a file until it exits and returns its output; throws unless it exits with 0. */
export async function runProgram(file: string, env: Env): Promise<string> {
  const program = await startProgram(file, env)
  const { code } = await program.exited
  if (code !== 0) throw new Error(`${file} exited with ${code}:\n${program.output()}`)
  return program.output()
}
