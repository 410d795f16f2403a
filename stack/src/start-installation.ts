import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'pg'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps, type Deps } from '@switchyard/server/main/deps.ts'
import { chainEnv, type LocalChain } from './chain/start-chain.ts'
import { openAddresses, type Forwarders } from './installation/addresses.ts'
import { baseEnv, nowhereUrl } from './installation/env.ts'
import type { ManagedProcess } from './installation/managed-process.ts'
import { migratedDatabase } from './installation/migrated-database.ts'
import { createProcesses, type ProcessOptions } from './installation/processes.ts'
import {
  startServices,
  type RunningIdentity,
  type RunningSimulator,
  type ServiceOptions,
} from './installation/services.ts'
import { mainFile, runProgram, type Env } from './programs.ts'
import { createCleanup, type Cleanup } from './services/cleanup.ts'
import { startForwarder, type Forwarder } from './services/forwarder.ts'
import type { Mailbox } from './services/mailbox.ts'
import { freePort } from './services/ports.ts'
import type { Postgres } from './services/postgres.ts'
import type { EngineNode } from './services/restate-cluster.ts'
import { scratchDir } from './testing/scratch-dir.ts'

type InstallationOptions<Seeded> = ServiceOptions & {
  /** Where data and logs are written; by default a scratch directory that `stop` removes. */
  directory?: string
  /** Puts forwarders in front of the apis, the workers and the engine nodes. */
  isForwarded?: boolean
  /** Puts a forwarder in front of Postgres, so that a standby can take over. */
  isDatabaseForwarded?: boolean
  /** Added to the configuration of every api and worker; takes precedence. */
  env?: Env
  /** Fills the migrated database before the first program starts. */
  seed: (deps: Deps, simulatorUrl: string) => Promise<Seeded>
}

/** A Switchyard installation on this machine. Handles of services that were not asked for throw when they are read. */
export type Installation<Seeded> = {
  readonly directory: string
  readonly logsDir: string
  /** The configuration of api and worker but for the ports that each process has of its own. */
  readonly env: Env
  readonly seeded: Seeded
  /** Connected as the owner of the database, who passes row-level security. */
  readonly owner: Pool
  readonly ownerUrl: string
  /** Where the first api listens, or the forwarder in front of all of them. */
  readonly apiUrl: string
  readonly postgres: Postgres
  readonly engineNodes: readonly EngineNode[]
  /** The only node, or the first one. */
  readonly engine: EngineNode
  readonly mailbox: Mailbox
  readonly identity: RunningIdentity
  readonly chain: LocalChain
  readonly simulator: RunningSimulator
  readonly forwarders: Forwarders
  readonly databaseForwarder: Forwarder
  /** Descriptions of apis and workers that exited although nobody killed or stopped them. */
  readonly unexpectedExits: readonly string[]
  startApi(options?: ProcessOptions): Promise<ManagedProcess>
  startWorker(options?: ProcessOptions): Promise<ManagedProcess>
  /** Runs `npm run rebuild` or `npm run audit`; returns its output, or throws when it fails. */
  run(command: 'rebuild' | 'audit'): Promise<string>
  /** Calls operations directly, as the same installation. */
  withDeps<Result>(work: (deps: Deps) => Promise<Result>): Promise<Result>
  stop(): Promise<void>
}

/** Starts the services, migrates and seeds the database. Apis and workers are started by the caller. */
export async function startInstallation<Seeded>(
  options: InstallationOptions<Seeded>,
): Promise<Installation<Seeded>> {
  const cleanup = createCleanup()
  try {
    return await start(options, cleanup)
  } catch (error) {
    await cleanup.stop().catch(() => undefined)
    throw error
  }
}

async function start<Seeded>(
  options: InstallationOptions<Seeded>,
  cleanup: Cleanup,
): Promise<Installation<Seeded>> {
  const directory = options.directory ?? (await ownDirectory(cleanup))
  const logsDir = join(directory, 'logs')
  await mkdir(logsDir, { recursive: true })
  const services = await startServices(directory, options, cleanup)
  const addresses = await openAddresses(services, options.isForwarded === true, cleanup)
  const database = options.isDatabaseForwarded
    ? cleanup.add(await startForwarder(await freePort(), [services.postgres.port]))
    : undefined
  const { ownerUrl, ...databaseUrls } = await migratedDatabase(serverUrl(services.postgres, database))
  const owner = openOwnerPool(ownerUrl, cleanup)
  const env: Env = {
    ...baseEnv,
    ...addresses.env,
    ...(services.chain && chainEnv(services.chain, options.chain?.settings)),
    ...databaseUrls,
    ...options.env,
  }
  const simulatorUrl = services.simulator?.url ?? nowhereUrl
  const seeded = await withDeps(env, (deps) => options.seed(deps, simulatorUrl))
  const processes = cleanup.add(
    createProcesses({ env, logsDir, addresses, hasEngine: services.engineNodes.length > 0 }),
  )
  return {
    directory,
    logsDir,
    env,
    seeded,
    owner,
    ownerUrl,
    apiUrl: env['PUBLIC_URL'] ?? nowhereUrl,
    postgres: services.postgres,
    engineNodes: services.engineNodes,
    get engine() {
      return required(services.engineNodes[0], 'an engine')
    },
    get mailbox() {
      return required(services.mailbox, 'a mailbox')
    },
    get identity() {
      return required(services.identity, 'an identity provider')
    },
    get chain() {
      return required(services.chain, 'a chain')
    },
    get simulator() {
      return required(services.simulator, 'a simulator')
    },
    get forwarders() {
      return required(addresses.forwarders, 'forwarders')
    },
    get databaseForwarder() {
      return required(database, 'a forwarder in front of Postgres')
    },
    unexpectedExits: processes.unexpectedExits,
    startApi: (own) => processes.start('api', own),
    startWorker: (own) => processes.start('worker', own),
    run: (command) => runProgram(mainFile(command), env),
    withDeps: (work) => withDeps(env, work),
    stop: () => cleanup.stop(),
  }
}

function required<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`this installation was started without ${name}`)
  return part
}

async function ownDirectory(cleanup: Cleanup): Promise<string> {
  const scratch = await scratchDir()
  cleanup.add({ stop: () => scratch.remove() })
  return scratch.path
}

function serverUrl({ url }: Postgres, forwarder: Forwarder | undefined): string {
  const address = new URL(url)
  if (forwarder) address.port = new URL(forwarder.url).port
  return address.href
}

function openOwnerPool(ownerUrl: string, cleanup: Cleanup): Pool {
  const owner = new Pool({ connectionString: ownerUrl, max: 4, connectionTimeoutMillis: 20_000 })
  // Postgres may be killed while a connection is idle or in use; the query that fails is enough of a report.
  owner.on('error', () => undefined)
  owner.on('connect', (client) => client.on('error', () => undefined))
  cleanup.add({ stop: () => owner.end() })
  return owner
}

async function withDeps<Result>(env: Env, work: (deps: Deps) => Promise<Result>): Promise<Result> {
  const deps = await createDeps(readConfig(env))
  try {
    await deps.sanctions.refresh()
    return await work(deps)
  } finally {
    await deps.close()
  }
}
