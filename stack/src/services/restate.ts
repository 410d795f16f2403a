import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { loopback } from './ports.ts'
import type { EndStep } from './process-table.ts'
import { identityKeyOf } from './restate-identity-key.ts'
import { lastLines, spawnService, type ServiceProcess } from './service-process.ts'
import { answersOk, waitUntil } from './wait-until.ts'

export type RestateOptions = {
  dataDir: string
  ingressPort: number
  adminPort: number
  nodePort: number
  /** The ed25519 private key (PEM) with which Restate signs its calls; created if it is missing. */
  identityKeyFile?: string
  logFile?: string
  /** Environment variables (`RESTATE_…`) that override the settings of a single development node. */
  settings?: Record<string, string>
}

export type Restate = {
  readonly ingressUrl: string
  readonly adminUrl: string
  readonly pid: number
  /** The public key in Restate's notation (`publickeyv1_…`), with which workers verify its calls. */
  readonly identityKey: string
  readonly logFile: string
  /** Resolves with a description when the current process exits. */
  readonly exited: Promise<string>
  stop(): Promise<void>
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same ports after stop() or kill(). */
  start(): Promise<void>
}

const startTimeoutMs = 60_000

const endSteps: EndStep[] = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

export async function startRestate(options: RestateOptions): Promise<Restate> {
  const dataDir = resolve(options.dataDir)
  const logFile = options.logFile ?? `${dataDir}.log`
  await mkdir(dataDir, { recursive: true })
  await rm(logFile, { force: true })
  const identityKeyFile = resolve(options.identityKeyFile ?? join(dataDir, 'identity-key.pem'))
  const identityKey = await identityKeyOf(identityKeyFile)
  const launch = () => launchRestate({ settings: {}, ...options, dataDir, logFile, identityKeyFile })
  let server = await launch()

  return {
    ingressUrl: `http://${loopback}:${options.ingressPort}`,
    adminUrl: `http://${loopback}:${options.adminPort}`,
    identityKey,
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
      if (server.endedBy() !== undefined) server = await launch()
    },
  }
}

async function launchRestate(options: Required<RestateOptions>): Promise<ServiceProcess> {
  const server = await spawnService({
    command: restateBinary(),
    args: ['--base-dir', options.dataDir, '--no-logo'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...restateSettings(options),
      ...options.settings,
    },
    logFile: options.logFile,
    recordFile: `${options.dataDir}.process.json`,
    endSteps,
  })
  const health = [
    `http://${loopback}:${options.adminPort}/health`,
    `http://${loopback}:${options.ingressPort}/restate/health`,
  ]
  const isReady = async () => (await Promise.all(health.map((url) => answersOk(url)))).every(Boolean)
  await waitUntil(async () => server.endedBy() ?? (await isReady()), {
    timeoutMs: startTimeoutMs,
    what: `Restate to answer, see ${options.logFile}`,
  })
  if (server.endedBy() === undefined) return server
  throw new Error(`Restate exited at start (${server.endedBy()}):\n${await lastLines(options.logFile)}`)
}

/** By default Restate listens on every interface and reports usage. */
function restateSettings(options: Required<RestateOptions>): Record<string, string> {
  return {
    DO_NOT_TRACK: '1',
    RESTATE_CLUSTER_NAME: 'switchyard-dev',
    RESTATE_NODE_NAME: 'switchyard-dev',
    RESTATE_AUTO_PROVISION: 'true',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_IP: loopback,
    RESTATE_ADVERTISED_HOST: loopback,
    RESTATE_BIND_PORT: String(options.nodePort),
    RESTATE_INGRESS__BIND_ADDRESS: `${loopback}:${options.ingressPort}`,
    RESTATE_ADMIN__BIND_ADDRESS: `${loopback}:${options.adminPort}`,
    RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: options.identityKeyFile,
    RESTATE_DEFAULT_NUM_PARTITIONS: '4',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MiB',
    RESTATE_SHUTDOWN_TIMEOUT: '10s',
    RESTATE_LOG_DISABLE_ANSI_CODES: 'true',
    RESTATE_LOG_FORMAT: 'compact',
    // Silences the check for newer releases, which fails on a machine without a network.
    RESTATE_LOG_FILTER: 'warn,restate=info,octocrab=off',
  }
}

/** The npm launcher only spawns this binary; starting it directly gives us Restate's own pid. */
function restateBinary(): string {
  const platform = `${process.platform}-${process.arch}`
  const launcher = createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json')
  try {
    return createRequire(launcher).resolve(`@restatedev/restate-server-${platform}/bin/restate-server`)
  } catch (cause) {
    throw new Error(`@restatedev/restate-server has no binary for ${platform} in node_modules`, { cause })
  }
}
