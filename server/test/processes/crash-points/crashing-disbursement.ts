import { engineScope } from '../../../src/main/services.ts'
import { z } from 'zod'
import type { Connector } from '../../../src/connectors/kit/connector.ts'
import type { Database } from '../../../src/kernel/db/database.ts'
import { disbursementService } from '../../../src/domains/products/escrow/disbursements/workflow.ts'
import type { ConnectorSource } from '../../../src/domains/providers/accounts/load-connector.ts'
import { readConfig } from '../../../src/main/config.ts'
import { createDeps, type Deps } from '../../../src/main/deps.ts'
import { killAtStep, runCrashingWorker, type Between } from './crashing-worker.ts'

/**
 * The production worker, which kills itself with SIGKILL at the n-th step of a disbursement. Steps are before and
 * after each of its transactions and provider calls. With step 0 it is never killed.
 */
const env = z
  .object({
    CRASH_STEP: z.coerce.number(),
    SEND_DEADLINE_MS: z.coerce.number(),
    NOT_FOUND_FINAL_AFTER_MS: z.coerce.number(),
    PAYOUT_RETRY_MS: z.coerce.number(),
  })
  .parse(process.env)

const between = killAtStep(env.CRASH_STEP)

const watched = (db: Database): Database => ({
  ...db,
  inOrg: (orgId, work) => between(() => db.inOrg(orgId, work)),
  batchInOrg: (orgId, batch) => between(() => db.batchInOrg(orgId, batch)),
})

/** Shortens the wait after which a missing payout counts as not sent from minutes to a second. */
const impatient = (source: ConnectorSource, around: Between): ConnectorSource => ({
  ...source,
  async load(orgId, accountId) {
    const connector = await source.load(orgId, accountId)
    const payout = connector?.payout?.bind(connector)
    return (
      connector && {
        ...connector,
        notFoundFinalAfterMs: env.NOT_FOUND_FINAL_AFTER_MS,
        ...(payout && {
          payout: ((attempt, payee) => around(() => payout(attempt, payee))) satisfies Connector['payout'],
        }),
      }
    )
  },
})

const config = readConfig()
const made = await createDeps(config, { sendDeadlineMs: env.SEND_DEADLINE_MS })
const payoutRetriesMs = [env.PAYOUT_RETRY_MS, env.PAYOUT_RETRY_MS]
const deps: Deps = { ...made, payoutRetriesMs, connectors: impatient(made.connectors, (work) => work()) }
const crashing: Deps = { ...deps, db: watched(made.db), connectors: impatient(made.connectors, between) }
await runCrashingWorker(
  config,
  deps,
  disbursementService(engineScope(config.ENGINE_NAMESPACE, deps), crashing),
)
