import { z } from 'zod'
import type { Connector } from '../../connectors/kit/connector.ts'
import type { Database } from '../../db/database.ts'
import { disbursementService } from '../../domains/escrow/disbursements/workflow.ts'
import type { ConnectorSource } from '../../domains/provider-accounts/load-connector.ts'
import { keepRegistered, registerWorker } from '../../engine/registration.ts'
import { startRelay } from '../../engine/relay.ts'
import { startWorker } from '../../engine/worker.ts'
import { readConfig } from '../../main/config.ts'
import { createDeps, type Deps } from '../../main/deps.ts'
import { engineServices } from '../../main/services.ts'

/**
 * The production worker, which kills itself with SIGKILL at the n-th step of a disbursement. Steps are before and
 * after each of its transactions and provider calls. With 0 it never does.
 */
const env = z
  .object({
    CRASH_STEP: z.coerce.number(),
    SEND_DEADLINE_MS: z.coerce.number(),
    NOT_FOUND_FINAL_AFTER_MS: z.coerce.number(),
    PAYOUT_RETRY_MS: z.coerce.number(),
  })
  .parse(process.env)

let steps = 0
function step(): void {
  steps += 1
  if (steps === env.CRASH_STEP) process.kill(process.pid, 'SIGKILL')
}

async function between<T>(work: () => Promise<T>): Promise<T> {
  step()
  const result = await work()
  step()
  return result
}

const watched = (db: Database): Database => ({
  ...db,
  inOrg: (orgId, work) => between(() => db.inOrg(orgId, work)),
  batchInOrg: (orgId, batch) => between(() => db.batchInOrg(orgId, batch)),
})

/** Shortens the wait after which a missing payout counts as not sent from minutes to a second. */
const impatient = (source: ConnectorSource, around: typeof between): ConnectorSource => ({
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

const namespace = config.ENGINE_NAMESPACE
const own = disbursementService(namespace, crashing)
const services = [...engineServices(namespace, deps).filter(({ name }) => name !== own.name), own]
const address = { host: config.WORKER_HOST, port: config.WORKER_PORT }
await startWorker({ services, identityKeys: config.ENGINE_IDENTITY_KEYS, log: deps.log, ...address })
if (config.ENGINE_ADMIN_URL === undefined || config.ENGINE_WORKER_URL === undefined)
  throw new Error('this worker registers itself')
const registration = {
  adminUrl: config.ENGINE_ADMIN_URL,
  workerUrl: config.ENGINE_WORKER_URL,
  serviceName: own.name,
  replace: true,
  log: deps.log,
}
await registerWorker(registration)
keepRegistered(registration)
startRelay({
  db: deps.db,
  listenUrl: config.DATABASE_SYSTEM_URL,
  ingress: deps.ingress,
  namespace,
  log: deps.log,
  leaseSeconds: 1,
})
process.on('SIGUSR2', () => process.stdout.write(`steps ${steps}\n`))
process.stdout.write('ready\n')
