import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createDatabaseIfMissing } from './services/create-database.ts'
import { freePort, loopback } from './services/ports.ts'
import { endProcess, sendSignal } from './services/process-table.ts'
import { guard } from './services/service-process.ts'
import { answersOk, waitUntil } from './services/wait-until.ts'
import { migrateDatabase } from '@switchyard/server/db/migrate.ts'
import { databaseUrl } from '@switchyard/server/testing/global-setup.ts'

export type Env = Record<string, string>

export interface Program {
  readonly pid: number
  /** The last part of what it printed. */
  output(): string
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  isRunning(): boolean
  signal(signal: NodeJS.Signals): void
  /** Waits for a 2xx from the address; fails at once when the program has ended. */
  untilReady(url: string): Promise<void>
  stop(): Promise<void>
}

const readyTimeoutMs = 30_000
const keptOutputChars = 20_000
const endSteps = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/** The path of one of `server/src/main`, for `startProgram`. */
export const mainFile = (name: 'api' | 'audit' | 'worker' | 'rebuild'): string =>
  fileURLToPath(import.meta.resolve(`@switchyard/server/main/${name}.ts`))

export interface ProgramOptions {
  nodeFlags?: readonly string[]
  /** Where all that it prints is added; without it only the last part is kept. */
  logFile?: string
}

/** Runs a file under Node as a process of its own, which ends at the latest with this one. */
export async function startProgram(file: string, env: Env, options: ProgramOptions = {}): Promise<Program> {
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), file], {
    env: { PATH: process.env['PATH'], ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const log = options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: 'a' })
  child.once('close', () => log?.end())
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutputChars)
      log?.write(text)
    })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  await once(child, 'spawn')
  const { pid } = child
  if (pid === undefined) throw new Error(`${file} has no pid`)
  child.once('exit', guard(pid, [...endSteps]))
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    pid,
    output: () => output,
    exited,
    isRunning,
    signal: (signal) => sendSignal(pid, signal),
    async untilReady(url) {
      const isReady = async (): Promise<boolean> => {
        if (!isRunning()) throw new Error(`${file} ended:\n${output}`)
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

/** Runs a file to its end and gives what it printed; fails when it does not end with 0. */
export async function runProgram(file: string, env: Env): Promise<string> {
  const program = await startProgram(file, env)
  const { code } = await program.exited
  if (code !== 0) throw new Error(`${file} ended with ${code}:\n${program.output()}`)
  return program.output()
}

const database = 'switchyard'

/** A migrated database on a server of its own, and the two URLs of the configuration. */
export async function migratedDatabase(serverUrl: string): Promise<Env & { ownerUrl: string }> {
  await createDatabaseIfMissing(serverUrl, database)
  const urls = {
    ownerUrl: databaseUrl(serverUrl, database, 'postgres'),
    appUrl: databaseUrl(serverUrl, database, 'switchyard_app'),
    systemUrl: databaseUrl(serverUrl, database, 'switchyard_system'),
  }
  await migrateDatabase({ ...urls, log: () => undefined })
  return { ownerUrl: urls.ownerUrl, DATABASE_APP_URL: urls.appUrl, DATABASE_SYSTEM_URL: urls.systemUrl }
}

/** A configuration that is complete but for database, engine, mail and ports. */
export const baseEnv: Env = {
  SWITCHYARD_ENV: 'dev',
  LOG_LEVEL: 'warn',
  API_HOST: loopback,
  WORKER_HOST: loopback,
  METRICS_HOST: loopback,
  JWT_ISSUER: `http://${loopback}:1`,
  JWT_AUDIENCE: 'switchyard',
  JWT_JWKS_URL: `http://${loopback}:1/jwks`,
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
  SMTP_URL: `smtp://${loopback}:1`,
  MAIL_FROM: 'Switchyard <no-reply@switchyard.test>',
  RATE_FEED_URL: `http://${loopback}:1/rates`,
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
}

/** An api on ports of its own. */
export async function startApi(env: Env): Promise<{ url: string; program: Program }> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const program = await startProgram(mainFile('api'), {
    ...env,
    API_PORT: String(port),
    METRICS_PORT: String(metricsPort),
  })
  const url = `http://${loopback}:${port}`
  await program.untilReady(`${url}/readyz`)
  return { url, program }
}
