import { join } from 'node:path'
import pg from 'pg'
import {
  baseEnv,
  mainFile,
  migratedDatabase,
  runProgram,
  startProgram,
  type Env,
  type Program,
} from '@switchyard/stack/programs.ts'
import { startTestIdentity, type TestIdentity } from '@switchyard/server/testing/identity.ts'
import { startSimulator } from '@switchyard/simulator/simulator.ts'
import { seed, type SeedResult } from '@switchyard/stack/seeds/seed.ts'
import { createParts } from '@switchyard/stack/services/parts.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startPostgres } from '@switchyard/stack/services/postgres.ts'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import type { Actor } from './request.ts'

/** Postgres, the simulator and one api in a process of its own, with two organisations and their payments. No worker. */
export type World = {
  readonly url: string
  readonly api: Program
  readonly actors: readonly Actor[]
  /** Ids of the people and keys behind the actors. */
  readonly kept: ReadonlySet<string>
  readonly owner: pg.Pool
  /** Proves the books; fails with what is wrong. */
  audit(): Promise<string>
  stop(): Promise<void>
}

const simulatorDelayMs = 20
const engineFile = join(import.meta.dirname, 'engine-stand-in.ts')
const unlimited = '10000000'

export async function startWorld(): Promise<World> {
  const scratch = await scratchDir()
  const parts = createParts()
  const { keep } = parts
  keep({ stop: () => scratch.remove() })
  try {
    const postgres = keep(
      await startPostgres({ dataDir: join(scratch.path, 'postgres'), port: await freePort(), fast: true }),
    )
    const simulator = keep(await startSimulator({ delayMs: simulatorDelayMs }))
    const identity = await startTestIdentity()
    keep({ stop: () => identity.close() })
    const enginePort = await freePort()
    const engineUrl = `http://${loopback}:${enginePort}`
    const engine = keep(await startProgram(engineFile, { PORT: String(enginePort) }))
    await engine.untilReady(`${engineUrl}/restate/health`)
    const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
    const port = await freePort()
    const url = `http://${loopback}:${port}`
    const env: Env = {
      ...(await envOf(url, simulator.url, identity)),
      ...urls,
      API_PORT: String(port),
      ENGINE_INGRESS_URL: engineUrl,
    }
    const people = await seed({ ...env, SIMULATOR_URL: simulator.url })
    const api = keep(await startProgram(mainFile('api'), env))
    await api.untilReady(`${url}/healthz`)
    const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
    keep({ stop: () => owner.end() })
    return {
      url,
      api,
      owner,
      actors: await actorsOf(people, identity),
      kept: await keptIds(owner),
      audit: () => runProgram(mainFile('audit'), env),
      stop: () => parts.stop(),
    }
  } catch (error) {
    await parts.stop()
    throw error
  }
}

const envOf = async (url: string, simulatorUrl: string, identity: TestIdentity): Promise<Env> => ({
  ...baseEnv,
  LOG_LEVEL: 'error',
  PUBLIC_URL: url,
  METRICS_PORT: String(await freePort()),
  // More than there are requests at once: on a busy machine, waiting for a connection would be answered with 503.
  DATABASE_POOL_SIZE: '40',
  JWT_ISSUER: identity.issuer,
  JWT_AUDIENCE: identity.audience,
  JWT_JWKS_URL: identity.jwksUrl,
  RATE_FEED_URL: `${simulatorUrl}/rates`,
  RATE_LIMIT_PER_SECOND: unlimited,
  RATE_LIMIT_BURST: unlimited,
})

/** Everybody twice, with a key and with a token; and one without either. */
async function actorsOf({ orgs, platformAdmin }: SeedResult, identity: TestIdentity): Promise<Actor[]> {
  const people = [
    { ...platformAdmin, role: 'platform-admin', org: 'platform' },
    ...orgs.flatMap(({ org_id, name, members }) =>
      members.map((member) => ({ ...member, org_id, org: name.toLowerCase().replaceAll(' ', '-') })),
    ),
  ]
  const actors: Actor[] = [
    { name: 'nobody', org: 'nobody', orgId: '', authorization: 'NONE', apiKey: 'NONE' },
  ]
  for (const { org, org_id: orgId, user_id, role, api_key: apiKey } of people) {
    const token = await identity.sign({ sub: user_id, org_id: orgId }, { expiresAt: '12h' })
    actors.push({ name: `${role} with a key`, org, orgId, authorization: 'NONE', apiKey })
    actors.push({
      name: `${role} with a token`,
      org,
      orgId,
      authorization: `Bearer ${token}`,
      apiKey: 'NONE',
    })
  }
  return actors
}

async function keptIds(owner: pg.Pool): Promise<Set<string>> {
  const { rows } = await owner.query<{ id: string }>(
    'select user_id as id from members union select api_key_id::text from api_keys',
  )
  return new Set(rows.map(({ id }) => id))
}
