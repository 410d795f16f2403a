import { watchPausedJobs } from '../kernel/engine/paused-jobs.ts'
import { maintainRegistration, registerWorker, type Registration } from '../kernel/engine/registration.ts'
import { createRelayMetrics } from '../kernel/engine/relay-metrics.ts'
import { startRelay, type RelayOptions } from '../kernel/engine/relay.ts'
import type { EngineService } from '../kernel/engine/service.ts'
import { startSchedule } from '../kernel/engine/schedule.ts'
import { startWorker } from '../kernel/engine/worker.ts'
import { firstAttempts } from '../domains/events/webhooks/deliveries/workflow.ts'
import type { Probes } from '../http/health.ts'
import { serveMetrics } from '../http/metrics.ts'
import { watchOutcomes } from '../domains/routing/signals/watch-outcomes.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { metricsPort, readConfig, type Config } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { listening, startProcess } from './process-start.ts'
import { startTracing } from './tracing.ts'
import { refreshOnHangup, stopOnSignal } from './process.ts'
import { engineServices, recurringJobs } from './services.ts'
import { StartError } from './start-error.ts'
import { createStateGauges } from './state-gauges.ts'
import { watchDependencies, workerDependencies } from './watch-dependencies.ts'

/** The last argument is for the programs in proof/ that crash the process at a named point. */
export async function runWorker(
  config: Config,
  deps: Deps,
  relayOptions: Pick<RelayOptions, 'crashPoint' | 'leaseSeconds'> = {},
): Promise<{ stop(): Promise<void> }> {
  if (config.SWITCHYARD_ENV === 'production' && config.ENGINE_IDENTITY_KEYS.length === 0)
    throw new StartError([
      'ENGINE_IDENTITY_KEYS is not set: anyone who can reach the port of this worker could run jobs. The engine logs its public key when it starts.',
    ])
  let isRegistered = false
  const probes: Probes = {
    ...deps.probes,
    registration: async () => {
      if (!isRegistered) throw new Error('this worker is not registered with the engine yet')
    },
  }
  const address = { host: config.METRICS_HOST, port: metricsPort(config, 'worker') }
  const metrics = await listening(
    { ...address, hostSetting: 'METRICS_HOST', portSetting: 'METRICS_PORT' },
    serveMetrics(deps.metrics.registry, probes, address),
  )
  const sanctions = await deps.sanctions.start()
  const clockWatch = deps.clockWatch.start()
  const services = engineServices(config.ENGINE_NAMESPACE, deps)
  const worker = await startEndpoint(config, deps, services)
  const watch = watchDependencies(deps.log, workerDependencies(config, deps))
  const registration = await startRegistration(config, deps, services)
  isRegistered = true
  const relay = startRelay({
    db: deps.db,
    listenUrl: config.DATABASE_SYSTEM_URL,
    ingress: deps.ingress,
    namespace: config.ENGINE_NAMESPACE,
    log: deps.log,
    metrics: createRelayMetrics(deps.metrics.registry, deps.db),
    local: firstAttempts(deps),
    ...relayOptions,
  })
  createStateGauges(deps.metrics.registry, deps)
  const pausedJobs = watchEngine(config, deps)
  const outcomes = watchOutcomes(deps)
  const signals = deps.routingSignals.start()
  const schedule = startSchedule({ db: deps.db, log: deps.log, jobs: recurringJobs })
  deps.log.info({ process: 'worker', port: worker.port }, 'listening')
  return {
    async stop() {
      watch.stop()
      schedule.stop()
      pausedJobs?.stop()
      registration?.stop()
      await Promise.all([outcomes.stop(), signals.stop(), sanctions.stop(), clockWatch.stop()])
      await relay.stop()
      await worker.stop()
      await metrics.close()
      await deps.close()
    },
  }
}

function startEndpoint(
  config: Config,
  deps: Deps,
  services: EngineService[],
): ReturnType<typeof startWorker> {
  const address = { host: config.WORKER_HOST, port: config.WORKER_PORT }
  return listening(
    { ...address, hostSetting: 'WORKER_HOST', portSetting: 'WORKER_PORT' },
    startWorker({
      services,
      identityKeys: config.ENGINE_IDENTITY_KEYS,
      ...address,
      log: deps.log,
      tracer: deps.tracer,
    }),
  )
}

/** Without an admin address, the worker must be registered as part of its deployment. */
async function startRegistration(
  config: Config,
  deps: Deps,
  [service]: EngineService[],
): Promise<Registration | undefined> {
  if (!service || config.ENGINE_ADMIN_URL === undefined || config.ENGINE_WORKER_URL === undefined)
    return undefined
  const options = {
    adminUrl: config.ENGINE_ADMIN_URL,
    workerUrl: config.ENGINE_WORKER_URL,
    serviceName: service.name,
    replace: config.SWITCHYARD_ENV === 'dev',
    log: deps.log,
  }
  await registerWorker(options)
  return maintainRegistration(options)
}

const watchEngine = (config: Config, deps: Deps): { stop(): void } | undefined =>
  config.ENGINE_ADMIN_URL === undefined
    ? undefined
    : watchPausedJobs({
        adminUrl: config.ENGINE_ADMIN_URL,
        namespace: config.ENGINE_NAMESPACE,
        registry: deps.metrics.registry,
        log: deps.log,
      })

export const runWorkerProcess = (): Promise<void> =>
  startProcess(async () => {
    const config = readConfig()
    const tracing = await startTracing(config, 'worker')
    const deps = await createDeps(config, { tracer: tracing?.tracer })
    await checkSecretKey(deps)
    refreshOnHangup(deps.log, () => deps.keys.refresh())
    let stop = (): Promise<void> => deps.close()
    stopOnSignal(deps.log, () => stop())
    const worker = await runWorker(config, deps)
    stop = async () => {
      await worker.stop()
      await tracing?.stop()
    }
  })

if (import.meta.main) await runWorkerProcess()
