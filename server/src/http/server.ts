import { fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IdempotencyDeps } from './idempotency/find-first-call.ts'
import { notFound, validationError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { assertAllowed, type Access } from './access.ts'
import type { App } from './app.ts'
import { authenticate, type Authenticators } from './authentication.ts'
import { registerCsvBody } from './csv-body.ts'
import { registerCsvExport } from './csv-export.ts'
import { renderError } from './error-handler.ts'
import { registerFormBody } from './form-body.ts'
import { registerHealth, type Probes } from './health.ts'
import { registerIdempotency } from './idempotency/register-idempotency.ts'
import { registerJsonBody } from './json-body.ts'
import type { HttpMetrics } from './metrics.ts'
import { registerOpenApi, type DocumentedEvents } from './openapi.ts'
import { createRateLimit } from './rate-limit.ts'

interface ServerOptions {
  publicUrl: string
  bodyLimitBytes: number
  trustProxy: boolean
  rateLimit: { perSecond: number; burst: number }
  /** The events that the OpenAPI document describes. */
  events?: DocumentedEvents
  /** Receives every registered route, for the generated list of endpoints and for tests that cover all routes. */
  onRoute?: (route: RegisteredRoute) => void
}

export interface RegisteredRoute {
  method: string
  path: string
  access: Access
  spec: string | undefined
  summary: string | undefined
}

export interface ServerDeps extends IdempotencyDeps {
  log: Log
  authenticators: Authenticators
  probes: Probes
  metrics: HttpMetrics
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/
const requestTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000

/** The last argument adds the routes of the domains, which this folder does not know. */
export async function buildServer(
  deps: ServerDeps,
  options: ServerOptions,
  registerRoutes: (app: App) => void,
): Promise<App> {
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
      const requestId = request.headers['x-request-id']
      return typeof requestId === 'string' && requestIdPattern.test(requestId) ? requestId : newId()
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
  registerCsvBody(app)
  registerCorrelation(app, deps)
  registerAccess(app, deps, options)
  app.addHook('onRequest', refuseNul)
  registerIdempotency(app, deps)
  await registerOpenApi(app, options.publicUrl, options.events)
  registerHealth(app, deps.probes)
  registerCsvExport(app)
  registerRoutes(app)
  return app
}

/** Fastify refuses a malformed URL before any hook runs, so the request id is set here. */
function renderRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  renderError(error, request, reply).catch(() => reply.raw.destroy())
}

/** Fastify passes a missing body to the validator as null, which the schema of an optional body would refuse. */
const compileValidator: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route)
  return route.httpPart === 'body' ? (body: unknown) => validate(body ?? undefined) : validate
}

/** Postgres cannot store NUL characters. parseJson refuses them in bodies. */
async function refuseNul(request: FastifyRequest): Promise<void> {
  if (request.url.includes('%00')) throw validationError('The path or query has a NUL character.')
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

/** Access is denied by default: a route that declares none keeps the server from starting. */
function registerAccess(app: App, deps: ServerDeps, options: ServerOptions): void {
  const limit = createRateLimit({ ...options.rateLimit, clock: deps.clock })
  app.decorateRequest('isAuthenticated', false)
  app.decorateRequest('rawBody')
  app.decorateRequest('caller', {
    getter() {
      throw new Error('this route is public, so it has no caller')
    },
  })
  app.addHook('onRoute', ({ method: methods, url: path, config, schema }) => {
    if (isReferencePage(path)) return
    for (const method of [methods].flat()) {
      if (!config?.access)
        throw new Error(`${method} ${path} declares no access; add it to the config of the route`)
      options.onRoute?.({ method, path, access: config.access, spec: config.spec, summary: schema?.summary })
    }
  })
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions
    if (url === undefined || isReferencePage(url)) return
    if (!config.access) throw notFound('This path')
    if (config.access.permission === 'public') return
    const caller = await authenticate(deps.authenticators, request.raw.rawHeaders, {
      ip: request.ip,
      userAgent: request.headers['user-agent'],
      requestId: request.id,
    })
    Object.defineProperty(request, 'caller', { value: caller })
    request.isAuthenticated = true
    limit(caller)
    assertAllowed(config.access, caller)
  })
}

const isReferencePage = (url: string): boolean => url === '/docs' || url.startsWith('/docs/')
