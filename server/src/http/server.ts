import { fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IdempotencyDeps } from './idempotency/begin-call.ts'
import type { Clock } from '../lib/clock.ts'
import { notFound, validationError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { accessOf, accessTable, assertAllowed, type Access } from './access-table.ts'
import type { App } from './app.ts'
import { authenticate, type Authenticators } from './authentication.ts'
import { registerCsvExport } from './csv-export.ts'
import { renderError } from './error-handler.ts'
import { registerFormBody } from './form-body.ts'
import { registerHealth, type Probes } from './health.ts'
import { registerIdempotency } from './idempotency/register-idempotency.ts'
import { registerJsonBody } from './json-body.ts'
import type { HttpMetrics } from './metrics.ts'
import { registerOpenApi, type DocumentedEvents } from './openapi.ts'
import { createRateLimit } from './rate-limit.ts'
import { routesByDomain, type RouteDeps } from './routes.ts'

export interface ServerOptions {
  publicUrl: string
  bodyLimitBytes: number
  trustProxy: boolean
  rateLimit: { perSecond: number; burst: number }
  /** The events that the OpenAPI document describes. */
  events?: DocumentedEvents
  /** Told of every route of the domains, for the generated list of endpoints and for tests over all routes. */
  onRoute?: (route: RegisteredRoute) => void
}

export interface RegisteredRoute {
  method: string
  path: string
  domain: string
  spec: string | undefined
  summary: string | undefined
}

export interface ServerDeps extends RouteDeps, IdempotencyDeps {
  log: Log
  clock: Clock
  authenticators: Authenticators
  probes: Probes
  metrics: HttpMetrics
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/
const requestTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000

export async function buildServer(deps: ServerDeps, options: ServerOptions): Promise<App> {
  const log: FastifyBaseLogger = deps.log
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustProxy,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    exposeHeadRoutes: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && requestIdPattern.test(given) ? given : newId()
    },
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: renderRouterError,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(renderError)
  app.setNotFoundHandler((request, reply) =>
    renderError(notFound(`${request.method} on this path`), request, reply),
  )

  registerJsonBody(app)
  registerFormBody(app)
  registerCorrelation(app, deps)
  registerAccess(app, deps, options)
  app.addHook('onRequest', refuseNul)
  registerIdempotency(app, deps)
  await registerOpenApi(app, options.publicUrl, options.events)
  registerHealth(app, deps.probes)
  registerCsvExport(app)
  registerDomains(app, deps, options)
  return app
}

/** An address that no route can be found for is refused before any hook runs. */
function renderRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  renderError(error, request, reply).catch(() => reply.raw.destroy())
}

/** Fastify hands a missing body to the validator as null, which an optional body would refuse. */
const compileValidator: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route)
  return route.httpPart === 'body' ? (body: unknown) => validate(body ?? undefined) : validate
}

/** Postgres stores no NUL; parseJson refuses it in bodies. */
async function refuseNul(request: FastifyRequest): Promise<void> {
  if (request.url.includes('%00')) throw validationError('The path or query has a NUL character.')
}

function registerDomains(app: App, deps: ServerDeps, options: ServerOptions): void {
  let domain = ''
  app.addHook('onRoute', ({ method, url: path, config, schema }) => {
    for (const one of [method].flat())
      options.onRoute?.({ method: one, path, domain, spec: config?.spec, summary: schema?.summary })
  })
  for (const [name, routes] of Object.entries(routesByDomain)) {
    domain = name
    routes(app, deps)
  }
}

function registerCorrelation(app: App, deps: ServerDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    deps.metrics.started(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    deps.metrics.finished(request, reply)
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.isAuthenticated && { orgId: request.caller.orgId, userId: request.caller.userId }),
      },
      'request',
    )
  })
}

/** Deny by default: a route without a line in the access table keeps the server from starting. */
function registerAccess(app: App, deps: ServerDeps, options: ServerOptions): void {
  const limit = createRateLimit({ ...options.rateLimit, clock: deps.clock })
  const unused = new Set(Object.keys(accessTable))
  const accessByRoute = new Map<string, Access>()
  app.decorateRequest('isAuthenticated', false)
  app.decorateRequest('rawBody')
  app.decorateRequest('caller', {
    getter() {
      throw new Error('this route has no caller: it is public')
    },
  })
  app.addHook('onRoute', (route) => {
    if (isReferencePage(route.url)) return
    for (const method of [route.method].flat()) {
      accessByRoute.set(`${method} ${route.url}`, accessOf(method, route.url))
      unused.delete(`${method} ${route.url}`)
    }
  })
  app.addHook('onReady', async () => {
    if (unused.size > 0)
      throw new Error(`the access table has lines without a route: ${[...unused].join(', ')}`)
  })
  app.addHook('onRequest', async (request) => {
    const url = request.routeOptions.url
    if (url === undefined || isReferencePage(url)) return
    const access = accessByRoute.get(`${request.method} ${url}`)
    if (!access) throw notFound('This path')
    if (access.permission === 'public') return
    const caller = await authenticate(deps.authenticators, request.raw.rawHeaders, {
      ip: request.ip,
      userAgent: request.headers['user-agent'],
      requestId: request.id,
    })
    Object.defineProperty(request, 'caller', { value: caller })
    request.isAuthenticated = true
    limit(caller)
    assertAllowed(access, caller)
  })
}

const isReferencePage = (url: string): boolean => url === '/docs' || url.startsWith('/docs/')
