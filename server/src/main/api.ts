import { describeEvents } from '../domains/webhooks/describe-events.ts'
import { serveMetrics } from '../http/metrics.ts'
import { buildServer } from '../http/server.ts'
import { readConfig, type Config } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { drainConnections, stopOnSignal } from './process.ts'
import { apiRoutes } from './routes.ts'

export async function runApi(config: Config, deps: Deps): Promise<{ stop(): Promise<void> }> {
  const app = await buildServer(
    deps,
    {
      publicUrl: config.PUBLIC_URL,
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
  const drain = drainConnections(app.server)
  const metrics = await serveMetrics(deps.metrics.registry, deps.probes, {
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
  })
  const address = await app.listen({ host: config.API_HOST, port: config.API_PORT })
  deps.log.info({ process: 'api', address }, 'listening')
  return {
    async stop() {
      const closed = app.close()
      drain()
      await closed
      await metrics.close()
      await deps.close()
    },
  }
}

if (import.meta.main) {
  const config = readConfig()
  const deps = createDeps(config)
  const api = await runApi(config, deps)
  stopOnSignal(deps.log, () => api.stop())
}
