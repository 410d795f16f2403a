import type { Deps } from '@switchyard/server/main/deps.ts'
import type { Env } from '@switchyard/stack/programs.ts'
import { seedProviders } from '@switchyard/stack/seeds/seed-providers.ts'
import { firstAdmin, operatorOf, seedAll } from '@switchyard/stack/seeds/seed.ts'
import type { Postgres } from '@switchyard/stack/services/postgres.ts'
import { startInstallation } from '@switchyard/stack/start-installation.ts'

/** Postgres with fsync, the simulator and one api, each a process of its own. It has no engine and no worker. */
export type BenchInstallation = {
  readonly apiUrl: string
  readonly simulatorUrl: string
  /** The configuration of the api. */
  readonly env: Env
  readonly apiKey: string
  readonly ownerUrl: string
  readonly postgres: Postgres
  readonly apiPid: number
  readonly simulatorPid: number
  readonly directory: string
  stop(): Promise<void>
}

export const poolSize = 20

export async function startBenchInstallation(options: {
  profileDir: string | undefined
  postgresSettings?: Record<string, string>
}): Promise<BenchInstallation> {
  const { profileDir, postgresSettings } = options
  const installation = await startInstallation({
    postgres: { ...(postgresSettings && { settings: postgresSettings }) },
    engineNodes: 0,
    simulator: { runsAs: 'process' },
    // As in production, so that the cost of logging is measured too.
    env: { LOG_LEVEL: 'info', DATABASE_POOL_SIZE: String(poolSize) },
    seed: seedCaller,
  })
  const nodeFlags = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`]
  try {
    const api = await installation.startApi({ nodeFlags })
    return {
      apiUrl: api.url,
      simulatorUrl: installation.simulator.url,
      env: installation.env,
      apiKey: installation.seeded,
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

/** Two organisations and their providers; returns the key of the first one's org-admin. */
async function seedCaller(deps: Deps, simulatorUrl: string): Promise<string> {
  const people = await seedAll(deps)
  await seedProviders(deps, operatorOf(people), simulatorUrl)
  return firstAdmin(people).apiKey
}
