import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { SpanKind, type Tracer } from '@opentelemetry/api'
import { createEndpointHandler, type HooksProvider, type LoggerTransport } from '@restatedev/restate-sdk'
import { beginTrace, endTrace, withinTrace } from '../../lib/flow/correlation.ts'
import type { Log } from '../../lib/log.ts'
import { createIdentityCheck } from './request-identity.ts'
import type { EngineService } from './service.ts'

interface WorkerOptions {
  services: EngineService[]
  /** Public keys of the engines that may call. Empty accepts any caller, which only tests of the protocol use. */
  identityKeys: string[]
  host: string
  port: number
  log: Log
  /** Undefined without tracing. */
  tracer?: Tracer | undefined
}

export interface Worker {
  port: number
  /** Accepts no new work, waits for running steps up to a limit, and leaves the rest to other workers. */
  stop(): Promise<void>
}

const drainLimitMs = 15_000
/** A workflow may start its next step right after one has ended; after this time without a step it is only waiting. */
const idleMs = 200
const drainPollMs = 20
const healthPath = '/health'

/** The HTTP/2 endpoint that the engine calls. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const steps = countSteps()
  const handler = createEndpointHandler({
    services: options.services,
    defaultServiceOptions: { hooks: [traceJobs(options.tracer), steps.hook] },
    logger: engineLogger(options.log),
  })
  const server = createServer(
    options.identityKeys.length > 0 ? guard(handler, options.identityKeys, options.log) : handler,
  )
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has this kind of address
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.close()
      await untilIdle(() => sessions.size === 0 || steps.idleForMs() >= idleMs)
      // The remaining invocations are sleeping or waiting; the engine resumes them on another worker.
      for (const session of sessions) session.destroy()
      await closed
    },
  }
}

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

function guard(handler: Handler, identityKeys: readonly string[], log: Log): Handler {
  const isFromEngine = createIdentityCheck(identityKeys)
  return (request, response) => {
    const handle = (isAllowed: boolean): void => {
      if (isAllowed) return handler(request, response)
      log.warn({ path: request.url }, 'a call without a valid signature of the engine was rejected')
      response.writeHead(401).end()
    }
    const known = request.url === healthPath || isFromEngine(request.url, request.headers)
    if (typeof known === 'boolean') handle(known)
    else known.then(handle, () => handle(false))
  }
}

/** Each attempt of a job is a trace of its own: it may run on another worker days after the one before. */
const traceJobs =
  (tracer: Tracer | undefined): HooksProvider =>
  ({ request: { target } }) => {
    const attributes = { 'switchyard.service': target.service, 'switchyard.handler': target.handler }
    const name = `${target.service}.${target.handler}`
    const trace = beginTrace({ tracer, name, kind: SpanKind.CONSUMER, ids: {}, attributes })
    return {
      interceptor: {
        async handler(next) {
          try {
            await withinTrace(trace, next)
          } finally {
            endTrace(trace, {})
          }
        },
        run: (_name, next) => withinTrace(trace, next),
      },
    }
  }

interface StepCounter {
  hook: HooksProvider
  idleForMs(): number
}

function countSteps(): StepCounter {
  let running = 0
  let idleSince = 0
  const hook: HooksProvider = () => ({
    interceptor: {
      async run(_name, next) {
        running += 1
        try {
          await next()
        } finally {
          running -= 1
          idleSince = performance.now()
        }
      },
    },
  })
  return { hook, idleForMs: () => (running > 0 ? 0 : performance.now() - idleSince) }
}

async function untilIdle(isIdle: () => boolean): Promise<void> {
  const deadline = performance.now() + drainLimitMs
  while (!isIdle() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, drainPollMs))
}

/**
 * The SDK's messages may quote the input, so only the kind of the error and its origin are logged. Calls that break
 * because the engine died are retried by the engine, so they are not logged; neither are messages without an error.
 */
export const engineLogger =
  (log: Log): LoggerTransport =>
  ({ level, context }, _message, ...more) => {
    const err = more.find((value) => value instanceof Error)
    const isBrokenCall = err && 'code' in err && err.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if ((level !== 'error' && level !== 'warn') || !err || isBrokenCall) return
    const fields = {
      err,
      ...(context && {
        invocationId: context.invocationId,
        service: context.serviceName,
        handler: context.handlerName,
      }),
    }
    log.warn(fields, 'the engine SDK reported an error')
  }
