import { purgeExpiredKeys } from '../domains/idempotency/purge-expired-keys.ts'
import { startRelay } from '../engine/relay.ts'
import { registerWorker, startWorker } from '../engine/worker.ts'
import { serveMetrics } from '../http/metrics.ts'
import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { stopOnSignal } from './process.ts'
import { engineServices } from './services.ts'

const purgeEveryMs = 10 * 60_000

const config = readConfig()
if (config.SWITCHYARD_ENV === 'production' && config.ENGINE_IDENTITY_KEYS.length === 0)
  throw new Error(
    'ENGINE_IDENTITY_KEYS is empty: this worker would run jobs for anybody who reaches its port',
  )
const deps = createDeps(config)
const worker = await startWorker({
  services: engineServices(config.ENGINE_NAMESPACE, deps),
  identityKeys: config.ENGINE_IDENTITY_KEYS,
  host: config.WORKER_HOST,
  port: config.WORKER_PORT,
  log: deps.log,
})
if (config.ENGINE_ADMIN_URL !== undefined && config.ENGINE_WORKER_URL !== undefined)
  await registerWorker(config.ENGINE_ADMIN_URL, config.ENGINE_WORKER_URL, {
    replace: config.SWITCHYARD_ENV === 'dev',
  })
const relay = startRelay({
  db: deps.db,
  listenUrl: config.DATABASE_SYSTEM_URL,
  ingress: deps.ingress,
  namespace: config.ENGINE_NAMESPACE,
  log: deps.log,
})
const purge = setInterval(() => {
  purgeExpiredKeys(deps).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'expired keys were not purged'),
  )
}, purgeEveryMs)
const metrics = await serveMetrics(deps.metrics.registry, deps.probes, {
  host: config.METRICS_HOST,
  port: config.METRICS_PORT,
})
deps.log.info({ process: 'worker', port: worker.port }, 'listening')

stopOnSignal(deps.log, async () => {
  clearInterval(purge)
  await relay.stop()
  await worker.stop()
  await metrics.close()
  await deps.close()
})
