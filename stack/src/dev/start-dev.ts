import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '../programs.ts'
import { identityAccounts } from '../seeds/identity-accounts.ts'
import type { SeedResult } from '../seeds/seed.ts'
import { createDatabaseIfMissing } from '../services/create-database.ts'
import { databaseName } from '../services/database-url.ts'
import { createAccountDirectory } from '../services/identity-accounts.ts'
import { loopback } from '../services/ports.ts'
import { sendSignal } from '../services/process-table.ts'
import { removeCliProfiles, writeCliProfiles } from './cli-profiles.ts'
import { removeDevFile, writeDevFile, type DevFile } from './connection-file.ts'
import { devEnv, simulatorUrl, type DevEnv } from './env.ts'
import type { DevOptions } from './options.ts'
import { choosePorts, type DevPorts } from './ports.ts'
import { takeRunLock, type RunLock } from './run-lock.ts'
import { loadSecrets } from './secrets.ts'
import { startServices, stopServices, type DevServices } from './services.ts'
import { runProgram, startWatched, type WatchedProgram } from './watched-program.ts'

export type DevRun = {
  readonly file: DevFile
  /** Resolves with a message when a service exits although nobody stopped it. */
  readonly broken: Promise<string>
  stop(): Promise<void>
  killNow(): void
}

/** The file of each program. */
export type DevPrograms = Readonly<Record<'migrate' | 'api' | 'worker' | 'simulator', string>>

type StartDev = Pick<DevOptions, 'ports' | 'dataDir'> & {
  programs: DevPrograms
  seed: (env: Env) => Promise<SeedResult>
  /** Aborts the start. */
  signal: AbortSignal
}

type Started = { lock?: RunLock; services?: DevServices; programs: WatchedProgram[] }

const killedRunnerPatienceMs = 10_000
/** Of the past year; a hundred thousand take a minute. */
const defaultPayments = '4000'

export async function startDev(options: StartDev): Promise<DevRun> {
  const started: Started = { programs: [] }
  const stop = () => stopAll(options.dataDir, started)
  try {
    const file = await startAll(options, started)
    return { file, broken: firstToExit(started.services), stop, killNow: () => killAll(started) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll({ dataDir, seed, signal, ...options }: StartDev, started: Started): Promise<DevFile> {
  await mkdir(dataDir, { recursive: true })
  started.lock = await takeRunLock(dataDir)
  await removeDevFile(dataDir)
  const patienceMs = started.lock.formerRunnerDied ? killedRunnerPatienceMs : 0
  const [ports, secrets] = await Promise.all([
    choosePorts({ mode: options.ports, dataDir, patienceMs }),
    loadSecrets(dataDir),
  ])
  const accounts = createAccountDirectory()
  const services = await startServices({ dataDir, ports, secrets, accounts })
  started.services = services
  signal.throwIfAborted()

  const env = devEnv({ dataDir, ports, secrets, services })
  const seedNow = () =>
    seed({
      ...env.owner,
      SEED_FILE: join(dataDir, 'seed.json'),
      SIMULATOR_URL: simulatorUrl(ports),
      SEED_PAYMENTS: process.env['SEED_PAYMENTS'] ?? defaultPayments,
    })
  const simulator = await startSimulator(options.programs.simulator, env.simulator, ports, seedNow)
  started.programs = [simulator]
  await createDatabaseIfMissing(services.postgres.url, databaseName)
  await runProgram(options.programs.migrate, env.owner)
  signal.throwIfAborted()
  started.programs.push(...(await startPrograms(options.programs, env, ports)))
  const [seeded] = await Promise.all([
    simulator.waitUntilReady(signal).then(seedNow),
    ...started.programs.map((program) => program.waitUntilReady(signal)),
  ])
  accounts.add(identityAccounts(seeded))
  const file = await describe(seeded, { ports, env, services })
  writeCliProfiles(dataDir, file)
  await writeDevFile(dataDir, file)
  return file
}

/** After a restart caused by a code change, the simulator has lost its webhook URLs, so they are configured again. */
async function startSimulator(
  file: string,
  env: Env,
  ports: DevPorts,
  configureAgain: () => Promise<unknown>,
): Promise<WatchedProgram> {
  let starts = 0
  return startWatched({
    name: 'simulator',
    file,
    env,
    readyUrl: `${simulatorUrl(ports)}/_health`,
    onLine(line) {
      if (!line.includes('"event":"listening"') || ++starts === 1) return
      configureAgain().catch((error: unknown) =>
        console.error(`the simulator could not be configured again: ${String(error)}`),
      )
    },
  })
}

async function startPrograms(programs: DevPrograms, env: DevEnv, ports: DevPorts): Promise<WatchedProgram[]> {
  const readyUrl = (port: number) => `http://${loopback}:${port}/readyz`
  return Promise.all([
    startWatched({
      name: 'api',
      file: programs.api,
      env: env.api,
      readyUrl: readyUrl(ports.api),
    }),
    startWatched({
      name: 'worker',
      file: programs.worker,
      env: env.worker,
      readyUrl: readyUrl(ports.workerMetrics),
    }),
  ])
}

type Described = { ports: DevPorts; env: DevEnv; services: DevServices }

async function describe(
  { platformAdmin, orgs, payment_link }: SeedResult,
  { ports, env, services }: Described,
): Promise<DevFile> {
  const { restate, identity, mail, chain } = services
  const { org_id, user_id, api_key } = platformAdmin
  const withTokens = (org: SeedResult['orgs'][number]) =>
    Promise.all(
      org.members.map(async (member) => ({
        ...member,
        jwt: await identity.issueToken(member.user_id, org.org_id),
      })),
    )
  return {
    api: `http://${loopback}:${ports.api}/v1`,
    dashboard: `http://${loopback}:${ports.api}/dashboard`,
    docs: `http://${loopback}:${ports.api}/docs`,
    database: env.owner['DATABASE_OWNER_URL'] ?? '',
    restate: { ingress: restate.ingressUrl, admin: restate.adminUrl },
    identity: identity.issuer,
    mail: mail.webUrl,
    simulator: simulatorUrl(ports),
    chain: chain && { rpc: chain.rpcUrl, network: 'BASE', token: chain.token },
    payment_link,
    platformAdmin: { user_id, api_key, jwt: await identity.issueToken(user_id, org_id) },
    orgs: await Promise.all(orgs.map(async (org) => ({ ...org, members: await withTokens(org) }))),
  }
}

async function firstToExit(services: DevServices | undefined): Promise<string> {
  if (!services) return 'no service is running'
  const { postgres, restate } = services
  return Promise.race([
    postgres.exited.then((how) => `PostgreSQL exited (${how}), see ${postgres.logFile}`),
    restate.exited.then((how) => `Restate exited (${how}), see ${restate.logFile}`),
  ])
}

/** Stops the programs before the services that they use. */
async function stopAll(dataDir: string, { lock, services, programs }: Started): Promise<void> {
  if (!lock) return
  await removeDevFile(dataDir)
  removeCliProfiles(dataDir)
  await Promise.allSettled(programs.map((program) => program.stop()))
  if (services) await stopServices(services)
  await lock.release()
}

function killAll({ services, programs }: Started): void {
  for (const program of programs) program.killNow()
  for (const service of [services?.restate, services?.chain, services?.postgres])
    if (service) sendSignal(service.pid, 'SIGKILL')
}
