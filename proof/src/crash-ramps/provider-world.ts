import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'pg'
import { createConfig } from '@switchyard/server/domains/provider-configs/create-config.ts'
import { fromNewConfig } from '@switchyard/server/domains/provider-configs/schema.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { migratedDatabase, type Env } from '@switchyard/stack/programs.ts'
import type { Simulator } from '@switchyard/simulator/simulator.ts'
import { hurry } from '../crash/limits.ts'
import { nodePart, type Part } from '../crash/parts.ts'
import type { PartName } from '../crash/plan.ts'
import { operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { openProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { freePort, loopback } from '@switchyard/stack/services/ports.ts'
import { adminKeyOf, envOf, startServices } from './world.ts'

/** One api and one worker that can be killed, and providers that settle by themselves. */
export type ProviderWorld = {
  readonly owner: Pool
  readonly apiUrl: string
  readonly apiKey: string
  readonly simulator: Simulator
  readonly simulatorUrl: string
  readonly parts: ReadonlyMap<PartName, Part>
  /** Processes that ended without being told to. */
  readonly deaths: string[]
  stop(): Promise<void>
}

const programs = join(import.meta.dirname, '../crash/programs')
const routed = [
  ['yellowcard', 'NG'],
  ['yellowcard', 'UG'],
  ['circle', 'US'],
  ['circle', 'DE'],
] as const

export async function startProviderWorld(dataDir: string, settleMs: number): Promise<ProviderWorld> {
  const services = await startServices(dataDir, settleMs)
  const { postgres, restate, simulator } = services
  const { ownerUrl, ...urls } = await migratedDatabase(postgres.url)
  const [apiPort, workerPort] = [await freePort(), await freePort()]
  const apiUrl = `http://${loopback}:${apiPort}`
  const env = { ...envOf(services, { dataDir, apiUrl, workerPort }), ...hurry, ...urls }
  const apiKey = await seedRoutes(env, simulator.url)
  const deaths: string[] = []
  const parts = await startNodeParts({ ...env, API_PORT: String(apiPort) }, join(dataDir, 'logs'), deaths)
  const owner = new Pool({ connectionString: ownerUrl })
  owner.on('error', () => undefined)
  return {
    owner,
    apiUrl,
    apiKey,
    simulator,
    simulatorUrl: simulator.url,
    parts,
    deaths,
    async stop() {
      await Promise.all([...parts.values()].map((part) => part.stop()))
      await owner.end()
      await Promise.all([restate.stop(), simulator.stop()])
      await postgres.stop()
    },
  }
}

async function startNodeParts(env: Env, logs: string, deaths: string[]): Promise<Map<PartName, Part>> {
  await mkdir(logs, { recursive: true })
  const parts = new Map<PartName, Part>()
  for (const kind of ['api', 'worker'] as const) {
    const name: PartName = `${kind}-0`
    const metricsPort = await freePort()
    const part = nodePart({
      name,
      file: join(programs, `${kind}.ts`),
      env: { ...env, METRICS_PORT: String(metricsPort) },
      readyUrl: `http://${loopback}:${metricsPort}/readyz`,
      pointFile: join(logs, `${name}.point`),
      options: { logFile: join(logs, `${name}.log`) },
      onDeath: (how) => deaths.push(`${name} ended by itself: ${how}`),
    })
    parts.set(name, part)
  }
  await Promise.all([...parts.values()].map((part) => part.start()))
  return parts
}

/** Each country has one provider, so a ramp goes by it or not at all. */
async function seedRoutes(env: Env, simulatorUrl: string): Promise<string> {
  const deps = createDeps(readConfig(env))
  try {
    const people = await seedAll(deps)
    const operator = operatorOf(people)
    await openProviders(deps, operator, simulatorUrl)
    for (const [provider, country] of routed) {
      const config = fromNewConfig({ provider, country, payment_method: 'crypto', direction: 'external' })
      await createConfig(deps, operator, { orgId: null, config })
    }
    return adminKeyOf(people)
  } finally {
    await deps.close()
  }
}
