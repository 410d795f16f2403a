import { SpanKind, type Tracer } from '@opentelemetry/api'
import { fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { IdempotencyDeps } from './idempotency/find-first-call.ts'
import { hasCardNumber } from '../lib/instruments/card-number.ts'
import { beginTrace, endTrace, note, withinTrace, type Trace } from '../lib/flow/correlation.ts'
import { notFound, validationError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { PersonalReads } from '../lib/requests/personal-reads.ts'
import type { RequestLog } from '../lib/requests/request-log.ts'
import { assertAllowed, type Access } from './auth/access.ts'
import { needsControl, type Control } from './auth/control.ts'
import type { App } from './app.ts'
import type { AuthenticationLimit } from './limits/authentication-limit.ts'
import { authenticate, type Authenticators } from './auth/authentication.ts'
import { registerCsvBody } from './bodies/csv-body.ts'
import { registerCompression } from './answers/compress-answers.ts'
import { registerCsvExport } from './answers/csv-export.ts'
import { registerDashboard } from './pages/dashboard-page.ts'
import { renderError } from './answers/error-handler.ts'
import { registerFormBody } from './bodies/form-body.ts'
import { registerHealth, type Probes } from './health.ts'
import { registerIdempotency } from './idempotency/register-idempotency.ts'
import { registerJsonBody } from './bodies/json-body.ts'
import { registerMasking } from './answers/mask-answers.ts'
import type { HttpMetrics } from './metrics.ts'
import { registerOpenApi, type DocumentedEvents } from './reference/openapi.ts'
import { registerPageCursor } from './answers/page-cursor.ts'
import { registerPathIds } from './bodies/path-ids.ts'
import { createCostLimit, createRateLimit, type RateLimits } from './limits/rate-limit.ts'
import { registerSecurityContact } from './pages/security-contact.ts'
import { isReferencePage, registerReferenceRedirect } from './reference/reference-page.ts'
import { recordPersonalRead } from './auth/personal-reads.ts'
import { recordRequest } from './request-log.ts'
import { registerCardNumberRefusal } from './bodies/refuse-card-numbers.ts'
import { registerUnknownFields } from './bodies/unknown-fields.ts'
import { registerUnknownPath } from './answers/unknown-path.ts'
import { compileValidator } from './bodies/validator.ts'

interface ServerOptions {
  publicUrl: string
  securityContact?: string | undefined
  bodyLimitBytes: number
  /** The addresses and networks of the proxies whose `X-Forwarded-For` is believed. */
  trustProxy: string[]
  rateLimit: RateLimits
  /** The events that the OpenAPI document describes. */
  events?: DocumentedEvents
  /** Receives every registered route, for the generated list of endpoints and for tests that cover all routes. */
  onRoute?: (route: RegisteredRoute) => void
}

export interface RegisteredRoute {
  method: string
  path: string
  access: Access
  control: Control | undefined
  spec: string | undefined
  summary: string | undefined
}

export interface ServerDeps extends IdempotencyDeps {
  clock: Clock
  log: Log
  authenticators: Authenticators
  authenticationLimit: AuthenticationLimit
  probes: Probes
  metrics: HttpMetrics
  requestLog: RequestLog
  personalReads: PersonalReads
  /** Undefined without tracing. */
  tracer: Tracer | undefined
}

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/
const requestTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000
const yearSeconds = 31_536_000
/** The statuses with which guesses and floods are refused; an operator blocks them by address. */
const namesAddress: readonly number[] = [401, 429]

/** The id is logged with every line, before the request can be refused. */
const isUsableId = (requestId: string): boolean =>
  requestIdPattern.test(requestId) && !hasCardNumber(requestId)

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
    trustProxy: options.trustProxy.length > 0 && options.trustProxy,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    exposeHeadRoutes: false,
    genReqId: (request) => {
      const requestId = request.headers['x-request-id']
      return typeof requestId === 'string' && isUsableId(requestId) ? requestId : newId()
    },
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: renderRouterError,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(renderError)
  registerUnknownPath(app)

  registerJsonBody(app)
  registerFormBody(app)
  registerCsvBody(app)
  registerCorrelation(app, deps, options)
  registerAccess(app, deps, options)
  app.addHook('onRequest', refuseNul)
  registerCardNumberRefusal(app)
  registerUnknownFields(app)
  registerIdempotency(app, deps)
  registerMasking(app)
  registerCompression(app)
  await registerOpenApi(app, options.publicUrl, options.events)
  registerReferenceRedirect(app)
  registerHealth(app, deps.probes)
  registerSecurityContact(app, options)
  registerDashboard(app)
  registerCsvExport(app)
  registerPageCursor(app)
  registerPathIds(app)
  registerRoutes(app)
  return app
}

/** Fastify refuses a malformed URL before any hook runs, so the request id is set here. */
function renderRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  renderError(error, request, reply).catch(() => reply.raw.destroy())
}

/** Postgres cannot store NUL characters. parseJson refuses them in bodies. */
async function refuseNul(request: FastifyRequest): Promise<void> {
  if (request.url.includes('%00')) throw validationError('The path or query has a NUL character.')
}

function registerCorrelation(app: App, deps: ServerDeps, { publicUrl }: ServerOptions): void {
  const isSecure = publicUrl.startsWith('https://')
  registerTrace(app, deps.tracer)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    if (isSecure) reply.header('strict-transport-security', `max-age=${yearSeconds}`)
    deps.metrics.started(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    deps.metrics.finished(request, reply)
    recordRequest(deps, request, reply)
    recordPersonalRead(deps, request, reply)
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ...(namesAddress.includes(reply.statusCode) && { ip: request.ip }),
        ...(request.isAuthenticated && { orgId: request.caller.orgId, userId: request.caller.userId }),
      },
      'request',
    )
  })
}

/** A body is read in the context of its socket, so the trace is entered again when it has arrived. */
function registerTrace(app: App, tracer: Tracer | undefined): void {
  const traces = new WeakMap<FastifyRequest, Trace>()
  app.addHook('onRequest', (request, _reply, done) => {
    const begun = beginTrace({
      tracer,
      name: request.method,
      kind: SpanKind.SERVER,
      ids: { requestId: request.id },
      attributes: { 'http.request.method': request.method },
    })
    traces.set(request, begun)
    withinTrace(begun, done)
  })
  app.addHook('preValidation', (request, _reply, done) => withinTrace(traces.get(request), done))
  app.addHook('onResponse', async (request, reply) => {
    const begun = traces.get(request)
    if (!begun) return
    const route = request.routeOptions.url ?? 'none'
    endTrace(begun, {
      name: `${request.method} ${route}`,
      attributes: { 'http.route': route, 'http.response.status_code': reply.statusCode },
      isError: reply.statusCode >= 500,
    })
  })
}

/** Access is denied by default: a route that declares none keeps the server from starting. */
function registerAccess(app: App, deps: ServerDeps, options: ServerOptions): void {
  const limit = createRateLimit({ ...options.rateLimit, clock: deps.clock })
  const limitCost = createCostLimit({ ...options.rateLimit, clock: deps.clock })
  app.decorateRequest('isAuthenticated', false)
  app.decorateRequest('rawBody')
  app.decorateRequest('errorCode')
  app.decorateRequest('knownCaller')
  app.decorateRequest('hasPersonalData', false)
  app.decorateRequest('caller', {
    getter() {
      if (!this.knownCaller) throw new Error('this route is public, so it has no caller')
      return this.knownCaller
    },
  })
  app.addHook('onRoute', ({ method: methods, url: path, config, schema }) => {
    if (isReferencePage(path)) return
    for (const method of [methods].flat()) {
      if (!config?.access)
        throw new Error(`${method} ${path} declares no access; add it to the config of the route`)
      const { access, control, spec } = config
      if (!control && needsControl(method, access))
        throw new Error(
          `${method} ${path} declares no control: say in the config of the route who else has to agree, or why nobody`,
        )
      options.onRoute?.({ method, path, access, control, spec, summary: schema?.summary })
    }
  })
  app.addHook('onRequest', async (request) => {
    const { url, config } = request.routeOptions
    if (url === undefined || isReferencePage(url)) return
    if (!config.access) throw notFound('This path')
    if (config.access.permission === 'public') return
    const caller = await authenticate(deps, request.raw, {
      ip: request.ip,
      userAgent: request.headers['user-agent'],
      requestId: request.id,
    })
    request.knownCaller = caller
    request.isAuthenticated = true
    note({ orgId: caller.orgId })
    limit(caller)
    assertAllowed(config.access, caller)
  })
  app.addHook('preValidation', async (request) => {
    const cost = request.routeOptions.config.cost?.(request.body)
    if (cost !== undefined) limitCost(request.caller, cost)
  })
}
