import { join } from 'node:path'
import type pg from 'pg'
import { startProgram, type Program } from '@switchyard/stack/programs.ts'
import { identityAccounts } from '@switchyard/stack/seeds/identity-accounts.ts'
import { seedExamples, type SeedResult } from '@switchyard/stack/seeds/seed.ts'
import type { Identity } from '@switchyard/stack/services/identity.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'
import type { Actor } from './request.ts'

/** One api with the example data of two organisations. It has no worker, and a stand-in for the engine. */
export type FuzzInstallation = {
  readonly url: string
  readonly apiPid: number
  readonly actors: readonly Actor[]
  /** The ids of the members and keys behind the actors. */
  readonly actorIds: ReadonlySet<string>
  readonly owner: pg.Pool
  /** Runs `npm run audit`; throws when the ledger or the payments are inconsistent. */
  audit(): Promise<string>
  stop(): Promise<void>
}

const simulatorDelayMs = 20
const tokenSeconds = 12 * 60 * 60
const engineFile = join(import.meta.dirname, 'engine-stand-in.ts')

export async function startFuzzInstallation(): Promise<FuzzInstallation> {
  const { engine, engineUrl } = await startEngineStandIn()
  const installation = await startInstallation({
    postgres: { fast: true },
    engineNodes: 0,
    hasIdentity: true,
    simulator: { runsAs: 'in-process', delayMs: simulatorDelayMs },
    env: {
      LOG_LEVEL: 'error',
      // More than there are concurrent requests: on a busy machine, waiting for a connection would end in a 503.
      DATABASE_POOL_SIZE: '40',
      ENGINE_INGRESS_URL: engineUrl,
    },
    seed: seedExamples,
  }).catch(async (error: unknown) => {
    await engine.stop()
    throw error
  })
  const stop = async (): Promise<void> => {
    await installation.stop()
    await engine.stop()
  }
  try {
    const { seeded, owner, identity, apiUrl } = installation
    identity.accounts.add(identityAccounts(seeded))
    const api = await installation.startApi()
    return {
      url: apiUrl,
      apiPid: api.program.pid,
      owner,
      actors: await actorsOf(seeded, identity),
      actorIds: await readActorIds(owner),
      audit: () => installation.run('audit'),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startEngineStandIn(): Promise<{ engine: Program; engineUrl: string }> {
  const port = await freePort()
  const engineUrl = `http://${loopback}:${port}`
  const engine = await startProgram(engineFile, { PORT: String(port) })
  await engine.untilReady(`${engineUrl}/restate/health`)
  return { engine, engineUrl }
}

/** Every member twice, once with a key and once with a token, and an actor without credentials. */
async function actorsOf({ orgs, platformAdmin }: SeedResult, identity: Identity): Promise<Actor[]> {
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
    const token = await identity.issueToken(user_id, orgId, { ttlSeconds: tokenSeconds })
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

async function readActorIds(owner: pg.Pool): Promise<Set<string>> {
  const { rows } = await owner.query<{ id: string }>(
    'select user_id as id from members union select api_key_id::text from api_keys',
  )
  return new Set(rows.map(({ id }) => id))
}
