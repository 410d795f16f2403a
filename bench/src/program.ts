import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { endProcess, type EndStep } from '@switchyard/stack/services/process-table.ts'
import { guard, lastLines } from '@switchyard/stack/services/service-process.ts'
import { answersOk, waitUntil } from '@switchyard/stack/services/wait-until.ts'

export type Program = { readonly pid: number; stop(): Promise<void> }

type ServerOptions = {
  file: string
  env: Record<string, string>
  readyUrl: string
  logFile: string
  nodeFlags?: readonly string[]
}

const readyTimeoutMs = 30_000
const endSteps: EndStep[] = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** A server in a process of its own. Its log goes to a file, as it would in production. */
export async function startServer(options: ServerOptions): Promise<Program> {
  const log = createWriteStream(options.logFile)
  await once(log, 'open')
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), options.file], {
    env: { PATH: process.env['PATH'], ...options.env },
    detached: true,
    stdio: ['ignore', log, log],
  })
  await once(child, 'spawn')
  log.destroy()
  const { pid } = child
  if (pid === undefined) throw new Error(`${options.file} has no pid`)
  child.once('exit', guard(pid, endSteps))
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null)
      throw new Error(`${options.file} ended:\n${await lastLines(options.logFile)}`)
    return answersOk(options.readyUrl)
  }
  await waitUntil(isReady, { timeoutMs: readyTimeoutMs, what: `${options.file} to be ready` })
  return {
    pid,
    async stop() {
      if (child.exitCode === null) await endProcess(pid, endSteps)
    },
  }
}

/** Runs a file to its end with one JSON argument and reads the JSON that it prints. */
export async function runMeasurement(file: string, options: object): Promise<unknown> {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code]: unknown[] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}`)
  return JSON.parse(output)
}
