import type { Database } from '../../../src/kernel/db/database.ts'
import { maintainRegistration, registerWorker } from '../../../src/kernel/engine/registration.ts'
import { startRelay } from '../../../src/kernel/engine/relay.ts'
import type { EngineService } from '../../../src/kernel/engine/service.ts'
import { startWorker } from '../../../src/kernel/engine/worker.ts'
import type { Config } from '../../../src/main/config.ts'
import type { Deps } from '../../../src/main/deps.ts'
import { engineServices } from '../../../src/main/services.ts'

/** Around a piece of work: the process is killed with SIGKILL before or after it when its turn has come. */
export type Between = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Counts steps before and after each piece of work, and kills this process at the given one; never at 0. */
export function killAtStep(crashStep: number): Between {
  let steps = 0
  const step = (): void => {
    steps += 1
    if (steps === crashStep) process.kill(process.pid, 'SIGKILL')
  }
  process.on('SIGUSR2', () => process.stdout.write(`steps ${steps}\n`))
  return async (work) => {
    step()
    const result = await work()
    step()
    return result
  }
}

/** Each transaction is a piece of work. */
export const watchTransactions = (db: Database, between: Between): Database => ({
  ...db,
  inOrg: (orgId, work) => between(() => db.inOrg(orgId, work)),
  batchInOrg: (orgId, batch) => between(() => db.batchInOrg(orgId, batch)),
  acrossOrgs: (work) => between(() => db.acrossOrgs(work)),
})

/** The production worker, in which one service is replaced by one that crashes. */
export async function runCrashingWorker(config: Config, deps: Deps, crashing: EngineService): Promise<void> {
  const namespace = config.ENGINE_NAMESPACE
  const others = engineServices(namespace, deps).filter(({ name }) => name !== crashing.name)
  const address = { host: config.WORKER_HOST, port: config.WORKER_PORT }
  await deps.sanctions.start()
  await startWorker({
    services: [...others, crashing],
    identityKeys: config.ENGINE_IDENTITY_KEYS,
    log: deps.log,
    ...address,
  })
  if (config.ENGINE_ADMIN_URL === undefined || config.ENGINE_WORKER_URL === undefined)
    throw new Error('this worker registers itself')
  const registration = {
    adminUrl: config.ENGINE_ADMIN_URL,
    workerUrl: config.ENGINE_WORKER_URL,
    serviceName: crashing.name,
    replace: true,
    log: deps.log,
  }
  await registerWorker(registration)
  maintainRegistration(registration)
  startRelay({
    db: deps.db,
    listenUrl: config.DATABASE_SYSTEM_URL,
    ingress: deps.ingress,
    namespace,
    log: deps.log,
    leaseSeconds: 1,
  })
  process.stdout.write('ready\n')
}
