import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'pg'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import {
  baseEnv,
  migratedDatabase,
  startProgram,
  type Env,
  type Program,
} from '@switchyard/stack/programs.ts'
import { startMailbox, type Mailbox } from '../crash-engine/mailbox.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { startCluster, type EngineNode } from './cluster.ts'
import { watchLedger } from './evidence.ts'
import { startForwarder, type Forwarder } from './forwarder.ts'
import { hurry } from './limits.ts'
import { nodePart, servicePart, type Part } from './parts.ts'
import { seedPeople, type People } from './people.ts'
import type { LinkName, PartName } from './plan.ts'

/** A whole installation of real processes: two apis, two workers, three engine nodes, Postgres, a simulator. */
export type World = {
  readonly directory: string
  readonly env: Env
  readonly people: People
  readonly parts: ReadonlyMap<PartName, Part>
  readonly links: ReadonlyMap<LinkName, Link>
  readonly apiUrls: readonly string[]
  readonly simulatorUrl: string
  readonly simulatorDir: string
  readonly adminUrl: string
  readonly postgres: Postgres
  readonly nodes: readonly EngineNode[]
  readonly owner: Pool
  /** The address of the database, where it has one of its own. */
  readonly database: Forwarder | undefined
  /** With which api and worker are started the next time. */
  readonly nodeFlags: string[]
  /** Processes that ended without being told to. */
  readonly deaths: string[]
  stop(): Promise<void>
}

/** What one part reaches another by. */
export type Link = Pick<Forwarder, 'interrupt'>

export type WorldOptions = {
  directory: string
  /** Api and worker reach the database by an address that can be pointed elsewhere. */
  isBehindAddress?: boolean
  postgresSettings?: Record<string, string>
}

const root = join(import.meta.dirname, '../../..')
const programs = join(import.meta.dirname, 'programs')
const simulatorDelayMs = '150'
const poolSize = '12'
const sessionsEveryMs = 50

/** When a part does not start, those before it end with this process. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { directory } = options
  const logs = join(directory, 'logs')
  await mkdir(logs, { recursive: true })
  const services = await startServices(options)
  const { postgres, nodes, mailbox, simulator } = services
  const addresses = await openAddresses(services, options.isBehindAddress === true)
  const { ownerUrl, ...urls } = await migratedDatabase(addresses.databaseUrl)
  const owner = new Pool({ connectionString: ownerUrl, max: 4, connectionTimeoutMillis: 2_000 })
  owner.on('error', () => undefined)
  // Also of one that is in use: Postgres is killed while the books are read.
  owner.on('connect', (client) => client.on('error', () => undefined))
  const env: Env = {
    ...baseEnv,
    ...hurry,
    ...urls,
    ...addresses.env,
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: poolSize,
    ENGINE_IDENTITY_KEYS: nodes[0]?.identityKey ?? '',
    RATE_FEED_URL: `${simulator.url}/rates`,
    SMTP_URL: mailbox.smtpUrl,
    NODE_COMPILE_CACHE: join(directory, 'compile-cache'),
    PLANTED_FILE: join(directory, 'planted.json'),
  }
  const people = await seedInto(env, simulator.url)
  await watchLedger(owner)
  const deaths: string[] = []
  const nodeFlags: string[] = []
  const nodeParts = await nodePartsOf({ env, ports: addresses.ports, logs, deaths, nodeFlags })
  await Promise.all(nodeParts.map(([, part]) => part.start()))
  const engines = nodes.map((node, index) => {
    const name = `engine-${index}` as PartName // there are three
    return [name, servicePart(name, node)] as const
  })
  return {
    directory,
    env,
    people,
    parts: new Map<PartName, Part>([
      ...nodeParts,
      ...engines,
      ['postgres', servicePart('postgres', postgres)],
    ]),
    links: new Map<LinkName, Link>([...addresses.links, ['database', sessionsOf(owner)]]),
    apiUrls: addresses.ports.apis.map((port) => `http://${loopback}:${port}`),
    simulatorUrl: simulator.url,
    simulatorDir: simulator.stateDir,
    adminUrl: addresses.env['ENGINE_ADMIN_URL'],
    database: addresses.database,
    postgres,
    nodes,
    owner,
    deaths,
    nodeFlags,
    async stop() {
      await Promise.all(nodeParts.map(([, part]) => part.stop()))
      await owner.end()
      await addresses.stop()
      await Promise.all([
        ...nodes.map((node) => node.stop()),
        postgres.stop(),
        mailbox.stop(),
        simulator.program.stop(),
      ])
    },
  }
}

type Services = {
  postgres: Postgres
  nodes: EngineNode[]
  mailbox: Mailbox
  simulator: Awaited<ReturnType<typeof startSimulator>>
}

async function startServices({ directory, postgresSettings }: WorldOptions): Promise<Services> {
  const [postgres, nodes, mailbox, simulator] = await Promise.all([
    startPostgres({
      dataDir: join(directory, 'postgres'),
      port: await freePort(),
      ...(postgresSettings && { settings: postgresSettings }),
    }),
    startCluster(directory),
    freePort().then(startMailbox),
    startSimulator(directory),
  ])
  return { postgres, nodes, mailbox, simulator }
}

/** What stands in front of the copies of a program, as in an installation. */
async function openAddresses({ postgres, nodes }: Services, isDatabaseBehind: boolean) {
  const ports = {
    apis: [await freePort(), await freePort()],
    workers: [await freePort(), await freePort()],
  }
  const [api, worker, ingress, admin] = await Promise.all([
    startForwarder(await freePort(), ports.apis),
    startForwarder(await freePort(), ports.workers),
    startForwarder(
      await freePort(),
      nodes.map(({ ingressPort }) => ingressPort),
    ),
    startForwarder(
      await freePort(),
      nodes.map(({ adminPort }) => adminPort),
    ),
  ])
  const database = isDatabaseBehind ? await startForwarder(await freePort(), [postgres.port]) : undefined
  const databaseUrl = new URL(postgres.url)
  if (database) databaseUrl.port = new URL(database.url).port
  return {
    ports,
    links: [
      ['webhooks', api],
      ['workers', worker],
      ['engine', ingress],
    ] as const,
    database,
    databaseUrl: databaseUrl.href,
    env: {
      PUBLIC_URL: api.url,
      ENGINE_INGRESS_URL: ingress.url,
      ENGINE_ADMIN_URL: admin.url,
      ENGINE_WORKER_URL: worker.url,
    },
    async stop() {
      await Promise.all(
        [api, worker, ingress, admin, ...(database ? [database] : [])].map((one) => one.stop()),
      )
    },
  }
}

/** The server ends every session of ours, in the middle of what it does, and each new one for as long as asked. */
const sessionsOf = (owner: Pool): Link => ({
  async interrupt(ms) {
    const endsAt = performance.now() + ms
    do {
      await owner
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where usename like 'switchyard_%'`)
        // It may be down at the same time; then nobody has a session.
        .catch(() => undefined)
      await delay(sessionsEveryMs)
    } while (performance.now() < endsAt)
  },
})

type NodeParts = {
  env: Env
  ports: { apis: number[]; workers: number[] }
  logs: string
  deaths: string[]
  nodeFlags: readonly string[]
}

async function nodePartsOf({
  env,
  ports,
  logs,
  deaths,
  nodeFlags,
}: NodeParts): Promise<(readonly [PartName, Part])[]> {
  const make = async (kind: 'api' | 'worker', index: 0 | 1, port: number) => {
    const name: PartName = `${kind}-${index}`
    const metricsPort = await freePort()
    const part = nodePart({
      name,
      file: join(programs, `${kind}.ts`),
      env: {
        ...env,
        [kind === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port),
        METRICS_PORT: String(metricsPort),
      },
      readyUrl: `http://${loopback}:${metricsPort}/readyz`,
      pointFile: join(logs, `${name}.point`),
      options: { nodeFlags, logFile: join(logs, `${name}.log`) },
      onDeath: (how) => deaths.push(`${name} ended by itself: ${how}`),
    })
    return [name, part] as const
  }
  return Promise.all([
    make('api', 0, ports.apis[0] ?? 0),
    make('api', 1, ports.apis[1] ?? 0),
    make('worker', 0, ports.workers[0] ?? 0),
    make('worker', 1, ports.workers[1] ?? 0),
  ])
}

async function startSimulator(
  directory: string,
): Promise<{ url: string; stateDir: string; program: Program }> {
  const port = await freePort()
  const stateDir = join(directory, 'simulator')
  const program = await startProgram(join(root, 'simulator/src/main.ts'), {
    SIMULATOR_PORT: String(port),
    SIMULATOR_STATE_DIR: stateDir,
    SIMULATOR_DELAY_MS: simulatorDelayMs,
  })
  const url = `http://${loopback}:${port}`
  await program.untilReady(`${url}/_health`)
  return { url, stateDir, program }
}

async function seedInto(env: Env, simulatorUrl: string): Promise<People> {
  const deps = createDeps(readConfig(env))
  try {
    return await seedPeople(deps, simulatorUrl)
  } finally {
    await deps.close()
  }
}
