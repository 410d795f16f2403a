import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createEndpointHandler, type HooksProvider, type LoggerTransport } from '@restatedev/restate-sdk'
import type { Log } from '../lib/log.ts'
import { createIdentityCheck } from './request-identity.ts'
import type { EngineService } from './service.ts'

interface WorkerOptions {
  services: EngineService[]
  /** Public keys of the engines that may call; empty accepts anybody and is for tests of the wire only. */
  identityKeys: string[]
  host: string
  port: number
  log: Log
}

export interface Worker {
  port: number
  /** Takes no new work, lets the steps that run end within a limit, and leaves the rest to other workers. */
  stop(): Promise<void>
}

const drainLimitMs = 15_000
/** A workflow whose step has ended may begin its next one; after this long without one it only waits. */
const quietMs = 200
const drainPollMs = 20
const healthPath = '/health'

/** The HTTP/2 endpoint that the engine calls. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const steps = countSteps()
  const handler = createEndpointHandler({
    services: options.services,
    defaultServiceOptions: { hooks: [steps.hook] },
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
      await untilQuiet(() => sessions.size === 0 || steps.quietForMs() >= quietMs)
      // What is left sleeps or waits, without end in sight: the engine goes on with it at another worker.
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
      log.warn({ path: request.url }, 'a call without a valid signature of the engine was refused')
      response.writeHead(401).end()
    }
    const known = request.url === healthPath || isFromEngine(request.url, request.headers)
    if (typeof known === 'boolean') handle(known)
    else known.then(handle, () => handle(false))
  }
}

interface StepCounter {
  hook: HooksProvider
  quietForMs(): number
}

function countSteps(): StepCounter {
  let running = 0
  let quietSince = 0
  const hook: HooksProvider = () => ({
    interceptor: {
      async run(_name, next) {
        running += 1
        try {
          await next()
        } finally {
          running -= 1
          quietSince = performance.now()
        }
      },
    },
  })
  return { hook, quietForMs: () => (running > 0 ? 0 : performance.now() - quietSince) }
}

async function untilQuiet(isQuiet: () => boolean): Promise<void> {
  const deadline = performance.now() + drainLimitMs
  while (!isQuiet() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, drainPollMs))
}

/**
 * The SDK's sentences may quote what they choked on, so only the error's kind and place are kept. An engine that dies
 * breaks thousands of calls at once and makes them again: that is no news, and neither is a sentence without an error.
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
    log.warn(fields, 'the engine reports')
  }
