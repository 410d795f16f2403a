import { join } from 'node:path'
import { operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { createParts } from '@switchyard/stack/services/parts.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres, type Postgres } from '@switchyard/stack/services/postgres.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { migrateDatabase } from '@switchyard/server/db/migrate.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { startServer, type Program } from './program.ts'

export type World = {
  readonly apiUrl: string
  readonly simulatorUrl: string
  /** The environment of the api process. */
  readonly env: Readonly<Record<string, string>>
  readonly apiKey: string
  readonly postgres: Postgres
  readonly api: Program
  readonly simulator: Program
  readonly directory: string
  stop(): Promise<void>
}

export const poolSize = 20
const unlimited = '1000000'
const root = join(import.meta.dirname, '../..')

/** Postgres as it comes (fsync on), the simulator and one api, each a process, all on loopback. No worker. */
export async function startWorld(options: {
  profileDir: string | undefined
  postgresSettings?: Record<string, string>
}): Promise<World> {
  const scratch = await scratchDir()
  const parts = createParts()
  const { keep } = parts
  keep({ stop: () => scratch.remove() })
  try {
    const directory = scratch.path
    const postgres = keep(
      await startPostgres({
        dataDir: join(directory, 'postgres'),
        port: await freePort(),
        ...(options.postgresSettings && { settings: options.postgresSettings }),
      }),
    )
    const simulatorUrl = `http://${loopback}:${await freePort()}`
    const simulator = keep(await startSimulator(directory, simulatorUrl))
    const apiUrl = `http://${loopback}:${await freePort()}`
    const env = await apiEnv({ postgres, simulatorUrl, apiUrl })
    const apiKey = await fillDatabase(postgres, env, simulatorUrl)
    const api = keep(await startApi(directory, env, options.profileDir))
    return {
      apiUrl,
      simulatorUrl,
      env,
      apiKey,
      postgres,
      api,
      simulator,
      directory,
      stop: () => parts.stop(),
    }
  } catch (error) {
    await parts.stop()
    throw error
  }
}

const startSimulator = (directory: string, url: string): Promise<Program> =>
  startServer({
    file: join(root, 'simulator/src/main.ts'),
    env: { SIMULATOR_PORT: new URL(url).port },
    readyUrl: `${url}/_health`,
    logFile: join(directory, 'simulator.log'),
  })

const startApi = (
  directory: string,
  env: Record<string, string>,
  profileDir: string | undefined,
): Promise<Program> =>
  startServer({
    file: join(root, 'server/src/main/api.ts'),
    env,
    readyUrl: `${env['PUBLIC_URL']}/healthz`,
    logFile: join(directory, 'api.log'),
    nodeFlags: profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`],
  })

type Addresses = { postgres: Postgres; simulatorUrl: string; apiUrl: string }

/** As in production, but for the limit on requests: one key sends them all. */
async function apiEnv({ postgres, simulatorUrl, apiUrl }: Addresses): Promise<Record<string, string>> {
  const databaseUrl = (role: string) => `postgres://${role}:bench@${loopback}:${postgres.port}/postgres`
  const nowhere = `http://${loopback}:1`
  return {
    SWITCHYARD_ENV: 'dev',
    API_PORT: new URL(apiUrl).port,
    METRICS_PORT: String(await freePort()),
    PUBLIC_URL: apiUrl,
    DATABASE_APP_URL: databaseUrl('switchyard_app'),
    DATABASE_SYSTEM_URL: databaseUrl('switchyard_system'),
    DATABASE_POOL_SIZE: String(poolSize),
    ENGINE_INGRESS_URL: nowhere,
    JWT_ISSUER: nowhere,
    JWT_AUDIENCE: 'switchyard',
    JWT_JWKS_URL: `${nowhere}/jwks`,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    API_KEY_PEPPER: Buffer.alloc(32, 2).toString('base64'),
    SMTP_URL: `smtp://${loopback}:1`,
    MAIL_FROM: 'Switchyard <no-reply@switchyard.test>',
    RATE_FEED_URL: `${simulatorUrl}/rates`,
    RATE_LIMIT_PER_SECOND: unlimited,
    RATE_LIMIT_BURST: unlimited,
  }
}

/** The schema, two organisations and their providers; returns the key of the first one's org-admin. */
async function fillDatabase(
  postgres: Postgres,
  env: Record<string, string>,
  simulatorUrl: string,
): Promise<string> {
  const config = readConfig(env)
  await migrateDatabase({
    ownerUrl: postgres.url,
    appUrl: config.DATABASE_APP_URL,
    systemUrl: config.DATABASE_SYSTEM_URL,
    log: () => undefined,
  })
  const deps = createDeps(config)
  try {
    const people = await seedAll(deps)
    await seedProviders(deps, operatorOf(people), simulatorUrl)
    const key = people.orgs[0]?.members[0]?.api_key
    if (key === undefined) throw new Error('the seed has no member')
    return key
  } finally {
    await deps.close()
  }
}
