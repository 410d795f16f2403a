import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Env } from '@switchyard/stack/programs.ts'
import type { Forwarder } from '@switchyard/stack/services/forwarder.ts'
import type { Postgres } from '@switchyard/stack/services/postgres.ts'
import { sendSignal } from '@switchyard/stack/services/process-table.ts'
import type { EngineNode } from '@switchyard/stack/services/restate-cluster.ts'
import { startInstallation, type Installation } from '@switchyard/stack/start-installation.ts'
import { hurry } from '../shared/limits.ts'
import type { Link, LinkName, Part, PartName } from '../shared/moves.ts'
import { watchLedger } from './evidence.ts'
import { seedPeople, type People } from './people.ts'

/** Two apis, two workers, three engine nodes, Postgres and a simulator, each a process of its own. */
export type PaymentsInstallation = {
  readonly directory: string
  readonly logsDir: string
  readonly env: Env
  readonly people: People
  readonly parts: ReadonlyMap<PartName, Part>
  readonly links: ReadonlyMap<LinkName, Link>
  readonly apiUrls: readonly string[]
  readonly simulatorUrl: string
  readonly simulatorDir: string
  readonly postgres: Postgres
  readonly engineNodes: readonly EngineNode[]
  readonly owner: Pool
  /** The forwarder in front of Postgres, where there is one. */
  readonly databaseForwarder: Forwarder | undefined
  /** Node's flags for the next start of an api or a worker. */
  readonly nodeFlags: string[]
  readonly unexpectedExits: readonly string[]
  rebuild(): Promise<string>
  stop(): Promise<void>
}

type PaymentsOptions = {
  directory: string
  /** Apis and workers reach Postgres through a forwarder, so that a standby can take over. */
  isDatabaseForwarded?: boolean
  /** Apis and workers disagree about the time. */
  hasWrongClocks?: boolean
  /** Nobody minds a process whose clock is wrong. */
  isSkewAllowed?: boolean
}

const programs = join(import.meta.dirname, '../shared/programs')
const simulatorDelayMs = 150
const poolSize = '12'
const engineNodes = 3
const terminateEveryMs = 50
/** Longer than an outcome takes that a provider can be asked for, also while everything is being killed. */
const doubtAfterMs = '40000'

export async function startPaymentsInstallation(options: PaymentsOptions): Promise<PaymentsInstallation> {
  const { directory, isDatabaseForwarded = false, hasWrongClocks = false } = options
  const { isSkewAllowed = hasWrongClocks } = options
  const installation = await startInstallation({
    directory,
    engineNodes,
    hasMailbox: true,
    simulator: { runsAs: 'process', delayMs: simulatorDelayMs },
    isForwarded: true,
    isDatabaseForwarded,
    env: {
      ...hurry,
      DOUBT_AFTER_MS: doubtAfterMs,
      LOG_LEVEL: 'info',
      DATABASE_POOL_SIZE: poolSize,
      PLANTED_FILE: plantedFile(directory),
      // Otherwise the processes with wrong clocks would get nothing to do: the signatures of the engine have a time.
      ...(isSkewAllowed && { MAX_CLOCK_SKEW_SECONDS: '10000', ENGINE_IDENTITY_KEYS: '' }),
    },
    seed: seedPeople,
  })
  try {
    await watchLedger(installation.owner)
    const nodeFlags = hasWrongClocks ? ['--import', join(programs, 'shift-clock.ts')] : []
    const { programParts, apiUrls } = await startPrograms(installation, nodeFlags)
    const { postgres, owner, simulator } = installation
    return {
      directory,
      logsDir: installation.logsDir,
      env: installation.env,
      people: installation.seeded,
      parts: new Map<PartName, Part>([
        ...programParts,
        ...engineParts(installation.engineNodes),
        ['postgres', servicePart(postgres)],
      ]),
      links: linksOf(installation),
      apiUrls,
      simulatorUrl: simulator.url,
      simulatorDir: simulator.stateDir,
      databaseForwarder: isDatabaseForwarded ? installation.databaseForwarder : undefined,
      postgres,
      engineNodes: installation.engineNodes,
      owner,
      unexpectedExits: installation.unexpectedExits,
      nodeFlags,
      rebuild: () => installation.run('rebuild'),
      stop: () => installation.stop(),
    }
  } catch (error) {
    await installation.stop()
    throw error
  }
}

/** Where a planted bug is written for the programs to read. */
export const plantedFile = (directory: string): string => join(directory, 'planted.json')

async function startPrograms(
  installation: Installation<People>,
  nodeFlags: readonly string[],
): Promise<{ programParts: [PartName, Part][]; apiUrls: string[] }> {
  const startApi = (name: PartName) =>
    installation.startApi({ name, file: join(programs, 'api.ts'), nodeFlags })
  const startWorker = (name: PartName) =>
    installation.startWorker({ name, file: join(programs, 'worker.ts'), nodeFlags })
  const [firstApi, secondApi, firstWorker, secondWorker] = await Promise.all([
    startApi('api-0'),
    startApi('api-1'),
    startWorker('worker-0'),
    startWorker('worker-1'),
  ])
  return {
    programParts: [
      ['api-0', firstApi],
      ['api-1', secondApi],
      ['worker-0', firstWorker],
      ['worker-1', secondWorker],
    ],
    apiUrls: [firstApi.url, secondApi.url],
  }
}

type Service = Pick<Postgres, 'pid' | 'kill' | 'start' | 'stop'>

const servicePart = (service: Service): Part => ({
  kill: () => service.kill(),
  pause: () => sendSignal(service.pid, 'SIGSTOP'),
  resume: () => sendSignal(service.pid, 'SIGCONT'),
  start: () => service.start(),
  stop: () => service.stop(),
})

const engineParts = (nodes: readonly EngineNode[]): [PartName, Part][] =>
  nodes.map((node, index) => [`engine-${index}` as PartName, servicePart(node)]) // there are three

const linksOf = ({ forwarders, owner }: Installation<People>): Map<LinkName, Link> =>
  new Map<LinkName, Link>([
    ['webhooks', forwarders.api],
    ['workers', forwarders.worker],
    ['engine', forwarders.engine],
    ['database', databaseSessions(owner)],
  ])

/** Has Postgres terminate every session of our programs, and each new one, for as long as the interruption lasts. */
const databaseSessions = (owner: Pool): Link => ({
  async interrupt(ms) {
    const endsAt = performance.now() + ms
    do {
      await owner
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where usename like 'switchyard_%'`)
        // Postgres may be down at the same time, and then there are no sessions.
        .catch(() => undefined)
      await delay(terminateEveryMs)
    } while (performance.now() < endsAt)
  },
})
