import { describeEvents } from '@switchyard/server/domains/events/webhooks/describe-events.ts'
import type { App } from '@switchyard/server/http/app.ts'
import { buildServer, type RegisteredRoute } from '@switchyard/server/http/server.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { apiRoutes } from '@switchyard/server/main/routes.ts'

const unusedUrl = 'http://127.0.0.1:1'
/** An installation puts its own address into the document that it serves. */
const documentedUrl = 'https://switchyard.example.com'

interface DescribedServer {
  routes: RegisteredRoute[]
  /** The OpenAPI document. */
  document: object
}

/** The routes of a server that never listens, so nothing behind these addresses is called. */
export const describeServer = (): Promise<DescribedServer> =>
  withServer(
    () => undefined,
    (_app, described) => Promise.resolve(described),
  )

/** A server without a database, with additional routes, for as long as `use` takes. */
export async function withServer<Result>(
  addRoutes: (app: App) => void,
  use: (app: App, described: DescribedServer) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({
    SWITCHYARD_ENV: 'dev',
    LOG_LEVEL: 'silent',
    DATABASE_APP_URL: 'postgres://127.0.0.1:1/none',
    DATABASE_SYSTEM_URL: 'postgres://127.0.0.1:1/none',
    ENGINE_INGRESS_URL: unusedUrl,
    JWT_ISSUER: unusedUrl,
    JWT_AUDIENCE: 'none',
    JWT_JWKS_URL: unusedUrl,
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    API_KEY_PEPPER: Buffer.alloc(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'none@localhost',
    RATE_FEED_URL: unusedUrl,
  })
  const deps = await createDeps(config)
  const routes: RegisteredRoute[] = []
  const options = {
    publicUrl: documentedUrl,
    events: describeEvents(),
    bodyLimitBytes: config.BODY_LIMIT_BYTES,
    trustProxy: [],
    rateLimit: { perSecond: 1, burst: 1 },
    onRoute: (route: RegisteredRoute) => routes.push(route),
  }
  const app = await buildServer(deps, options, (server) => {
    apiRoutes(deps)(server)
    addRoutes(server)
  })
  try {
    await app.ready()
    return await use(app, { routes, document: app.swagger() })
  } finally {
    await app.close()
    await deps.close()
  }
}
