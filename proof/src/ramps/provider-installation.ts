import { join } from 'node:path'
import type { Pool } from 'pg'
import { createConfig } from '@switchyard/server/domains/providers/configs/create-config.ts'
import { fromNewConfig } from '@switchyard/server/domains/providers/configs/schema.ts'
import type { Deps } from '@switchyard/server/main/deps.ts'
import type { Simulator } from '@switchyard/simulator/simulator.ts'
import { openProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { firstAdmin, operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'
import { hurry } from '../shared/limits.ts'
import type { Part, PartName } from '../shared/moves.ts'

/** One api and one worker that can be killed, and providers that settle by themselves. */
export type ProviderInstallation = {
  readonly owner: Pool
  readonly apiUrl: string
  readonly apiKey: string
  readonly simulator: Simulator
  readonly simulatorUrl: string
  readonly parts: ReadonlyMap<PartName, Part>
  readonly unexpectedExits: readonly string[]
  stop(): Promise<void>
}

const programs = join(import.meta.dirname, '../shared/programs')
const routed = [
  ['yellowcard', 'NG'],
  ['yellowcard', 'UG'],
  ['circle', 'US'],
  ['circle', 'DE'],
] as const

export async function startProviderInstallation(settleMs: number): Promise<ProviderInstallation> {
  const installation = await startInstallation({
    simulator: { runsAs: 'in-process', delayMs: settleMs },
    env: hurry,
    seed: seedRoutes,
  })
  const { owner, apiUrl, seeded: apiKey, simulator, unexpectedExits } = installation
  try {
    const [api, worker] = await Promise.all([
      installation.startApi({ file: join(programs, 'api.ts') }),
      installation.startWorker({ file: join(programs, 'worker.ts') }),
    ])
    return {
      owner,
      apiUrl,
      apiKey,
      simulator: simulator.functions,
      simulatorUrl: simulator.url,
      parts: new Map<PartName, Part>([
        ['api-0', api],
        ['worker-0', worker],
      ]),
      unexpectedExits,
      stop: () => installation.stop(),
    }
  } catch (error) {
    await installation.stop()
    throw error
  }
}

/** Gives each country a single provider, so that a ramp has no other route. */
async function seedRoutes(deps: Deps, simulatorUrl: string): Promise<string> {
  const people = await seedAll(deps)
  const operator = operatorOf(people)
  await openProviders(deps, operator, simulatorUrl)
  for (const [provider, country] of routed) {
    const config = fromNewConfig({ provider, country, payment_method: 'crypto', direction: 'external' })
    await createConfig(deps, operator, { orgId: null, config })
  }
  return firstAdmin(people).apiKey
}
