import { listDeployments } from '../../../kernel/engine/deployments.ts'
import { measureBacklogAcrossOrgs } from '../../../kernel/engine/outbox.ts'
import { countPausedJobs } from '../../../kernel/engine/paused-jobs.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { countOpenAcrossOrgs } from '../../people/exceptions/reads.ts'
import { getProviderHealth } from '../../payments/reads/provider-health/get-provider-health.ts'
import { countUnreadableAcrossOrgs } from '../../payments/reads/search/count-unreadable.ts'
import { readMigrations, readVersion } from './read-version.ts'
import type { EngineState, PlatformDeps, PlatformStatus } from './record.ts'
import { selectDatabaseStateAcrossOrgs } from './store.ts'

const healthMinutes = 60
const probeMs = 2_000

/** The state of the installation. An engine that does not answer leaves its part unknown and the rest as it is. */
export async function getStatus(deps: PlatformDeps, caller: Caller): Promise<PlatformStatus> {
  const [database, operators, outbox, openExceptions, unreadablePayments, health, engine] = await Promise.all(
    [
      deps.db.acrossOrgs(selectDatabaseStateAcrossOrgs),
      deps.db.acrossOrgs(deps.listOperators),
      measureBacklogAcrossOrgs(deps.db.readAcrossOrgs),
      countOpenAcrossOrgs(deps),
      countUnreadableAcrossOrgs(deps),
      getProviderHealth(deps, caller, { windowMinutes: healthMinutes, provider: undefined }),
      engineState(deps),
    ],
  )
  return {
    version: readVersion(),
    expectedMigrations: readMigrations(),
    database,
    operators: operators.length,
    outbox,
    openExceptions,
    unreadablePayments,
    engine,
    providers: health.accounts,
    checkedAt: deps.clock.now(),
  }
}

async function engineState({ probes, engineAdmin }: PlatformDeps): Promise<EngineState> {
  const { adminUrl, namespace } = engineAdmin
  const [isReachable, deployments, pausedJobs] = await Promise.all([
    answers(probes['engine']),
    adminUrl === undefined ? null : listDeployments(adminUrl, namespace).catch(() => null),
    adminUrl === undefined ? null : sumPaused(adminUrl, namespace).catch(() => null),
  ])
  return { isReachable, deployments, pausedJobs }
}

const sumPaused = async (adminUrl: string, namespace: string): Promise<number> =>
  (await countPausedJobs({ adminUrl, namespace })).reduce((sum, { jobs }) => sum + jobs, 0)

function answers(probe: (() => Promise<void>) | undefined): Promise<boolean> {
  if (!probe) return Promise.resolve(false)
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, probeMs, false)
  const answered = probe().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, timeout]).finally(() => clearTimeout(timer))
}
