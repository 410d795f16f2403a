import { createApiKey } from '@switchyard/server/domains/people/api-keys/create-api-key.ts'
import { createOrganization } from '@switchyard/server/domains/people/organizations/create-organization.ts'
import type { Caller } from '@switchyard/server/lib/requests/access.ts'
import { newId } from '@switchyard/server/lib/ids.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { firstAdmin, memberCaller, operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import type { Postgres } from '@switchyard/stack/services/postgres.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'

/** Postgres with fsync, the simulator and one api, each a process of its own. It has no engine and no worker. */
export type BenchInstallation = {
  readonly apiUrl: string
  readonly simulatorUrl: string
  /** The configuration of the api. */
  readonly env: Env
  readonly apiKey: string
  /** A key for each organisation, beginning with that of `apiKey`. */
  readonly apiKeys: readonly string[]
  readonly ownerUrl: string
  readonly postgres: Postgres
  readonly apiPid: number
  readonly simulatorPid: number
  readonly directory: string
  stop(): Promise<void>
}

/** What a measurement needs to know of an installation, which another process may have started. */
export type MeasuredInstallation = Pick<
  BenchInstallation,
  'apiUrl' | 'apiKey' | 'apiKeys' | 'ownerUrl' | 'apiPid' | 'simulatorPid' | 'directory'
> & { readonly postgres: Pick<Postgres, 'pid'> }

export const poolSize = 20

interface Options {
  /** How many organisations have a key; one by default. */
  organizations?: number
  nodeFlags?: readonly string[]
  postgresSettings?: Record<string, string>
}

export async function startBenchInstallation(options: Options = {}): Promise<BenchInstallation> {
  const { organizations = 1, nodeFlags = [], postgresSettings } = options
  const installation = await startInstallation({
    postgres: { ...(postgresSettings && { settings: postgresSettings }) },
    engineNodes: 0,
    simulator: { runsAs: 'process' },
    // As in production, so that the cost of logging is measured too.
    env: { LOG_LEVEL: 'info', DATABASE_POOL_SIZE: String(poolSize) },
    seed: (deps, simulatorUrl) => seedCallers(deps, simulatorUrl, organizations),
  })
  try {
    const api = await installation.startApi({ nodeFlags })
    return {
      apiUrl: api.url,
      simulatorUrl: installation.simulator.url,
      env: installation.env,
      apiKey: firstKey(installation.seeded),
      apiKeys: installation.seeded,
      ownerUrl: installation.ownerUrl,
      postgres: installation.postgres,
      apiPid: api.program.pid,
      simulatorPid: installation.simulator.pid,
      directory: installation.directory,
      stop: () => installation.stop(),
    }
  } catch (error) {
    await installation.stop()
    throw error
  }
}

/** Organisations that share the installation's providers; returns the key of an administrator of each. */
async function seedCallers(deps: Deps, simulatorUrl: string, organizations: number): Promise<string[]> {
  const people = await seedAll(deps)
  const operator = operatorOf(people)
  await seedProviders(deps, operator, simulatorUrl)
  const apiKeys = [firstAdmin(people).apiKey]
  while (apiKeys.length < organizations) apiKeys.push(await seedCaller(deps, operator, apiKeys.length))
  return apiKeys
}

async function seedCaller(deps: Deps, operator: Caller, number: number): Promise<string> {
  const admin = {
    userId: newId(),
    email: `admin-${number}@bench.test`,
    firstName: 'Ada',
    lastName: 'Admin',
    country: 'UG',
  }
  const { orgId } = await createOrganization(deps, operator, {
    name: `Organisation ${number}`,
    country: 'UG',
    features: [],
    admin,
  })
  const caller = memberCaller(operator, { orgId, userId: admin.userId, role: 'org-admin' })
  const key = { name: 'bench', scopes: null, allowedIps: null, expiresAt: null }
  return (await createApiKey(deps, caller, key)).secret
}

function firstKey([key]: readonly string[]): string {
  if (key === undefined) throw new Error('nobody has a key')
  return key
}
