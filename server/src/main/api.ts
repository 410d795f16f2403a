import { describeEvents } from '../domains/events/webhooks/describe-events.ts'
import { serveMetrics } from '../http/metrics.ts'
import { buildServer } from '../http/server.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { metricsPort, readConfig, type Config } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { listening, startProcess } from './process-start.ts'
import { startTracing } from './tracing.ts'
import { drainConnections, refreshOnHangup, stopOnSignal } from './process.ts'
import { apiRoutes } from './routes.ts'
import { apiDependencies, watchDependencies } from './watch-dependencies.ts'

export async function runApi(config: Config, deps: Deps): Promise<{ stop(): Promise<void> }> {
  const app = await buildServer(
    deps,
    {
      publicUrl: config.PUBLIC_URL,
      securityContact: config.SECURITY_CONTACT,
      bodyLimitBytes: config.BODY_LIMIT_BYTES,
      trustProxy: config.TRUST_PROXY,
      rateLimit: {
        perSecond: config.RATE_LIMIT_PER_SECOND,
        burst: config.RATE_LIMIT_BURST,
        orgPerSecond: config.ORG_RATE_LIMIT_PER_SECOND,
        orgBurst: config.ORG_RATE_LIMIT_BURST,
      },
      events: describeEvents(),
    },
    apiRoutes(deps),
  )
  const sanctions = await deps.sanctions.start()
  const drain = drainConnections(app.server)
  const metricsAddress = { host: config.METRICS_HOST, port: metricsPort(config, 'api') }
  const metrics = await listening(
    { ...metricsAddress, hostSetting: 'METRICS_HOST', portSetting: 'METRICS_PORT' },
    serveMetrics(deps.metrics.registry, deps.probes, metricsAddress),
  )
  const apiAddress = { host: config.API_HOST, port: config.API_PORT }
  const address = await listening(
    { ...apiAddress, hostSetting: 'API_HOST', portSetting: 'API_PORT' },
    app.listen(apiAddress),
  )
  deps.log.info({ process: 'api', address }, 'listening')
  const watch = watchDependencies(deps.log, apiDependencies(config, deps))
  const signals = deps.routingSignals.start()
  const clockWatch = deps.clockWatch.start()
  return {
    async stop() {
      watch.stop()
      await Promise.all([signals.stop(), sanctions.stop(), clockWatch.stop()])
      const closed = app.close()
      drain()
      await closed
      await metrics.close()
      await deps.close()
    },
  }
}

export const runApiProcess = (): Promise<void> =>
  startProcess(async () => {
    const config = readConfig()
    const tracing = await startTracing(config, 'api')
    const deps = await createDeps(config, { tracer: tracing?.tracer })
    await checkSecretKey(deps)
    refreshOnHangup(deps.log, () => deps.keys.refresh())
    const api = await runApi(config, deps)
    stopOnSignal(deps.log, async () => {
      await api.stop()
      await tracing?.stop()
    })
  })

if (import.meta.main) await runApiProcess()
