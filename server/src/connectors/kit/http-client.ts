import { Agent, buildConnector, type Dispatcher } from 'undici'
import { watchedEffects } from '../../lib/flow/watch-effects.ts'

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** Replaces `body` for binary content. */
  bytes?: Buffer
  timeoutMs?: number
}

/** The result of a call. `not_sent` guarantees that it failed before the first byte of the request. */
export type HttpResult =
  | { kind: 'answered'; status: number; headers: Record<string, string | string[] | undefined>; body: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export type HttpClient = (call: HttpCall) => Promise<HttpResult>

export const defaultTimeoutMs = 15_000
const connectTimeoutMs = 5_000
/** Only a bound for the process: `limitCalls` keeps each provider account far below it. */
const connectionsPerHost = 4_096
const answerLimitBytes = 1024 * 1024

/** Errors of the connection attempt itself, before any byte was sent. The error code alone does not show this. */
const connectFailures = new WeakSet<Error>()

export function createHttpClient(dispatcher: Dispatcher = createAgent()): HttpClient {
  return (call) => {
    const effects = watchedEffects()
    if (effects && call.method !== 'GET') effects.hasActed = true
    return new Promise((resolve) => {
      const timeoutMs = call.timeoutMs ?? defaultTimeoutMs
      const exchange = new Exchange(timeoutMs, resolve)
      try {
        const { origin, pathname, search } = new URL(call.url)
        dispatcher.dispatch(
          {
            origin,
            path: pathname + search,
            method: call.method,
            headers: call.headers ?? {},
            body: call.bytes ?? call.body ?? null,
          },
          exchange,
        )
      } catch (error) {
        exchange.fail(error)
      }
    })
  }
}

/** One call. It is its own handler: `request` would make a stream of the answer, which costs more than the call. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (result: HttpResult) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  /** Set when its first byte may have been written. */
  #controller: Dispatcher.DispatchController | undefined
  #failure: Error | undefined
  #size = 0
  #status = 0
  #headers: Record<string, string | string[] | undefined> = {}

  constructor(timeoutMs: number, settle: (result: HttpResult) => void) {
    this.#settle = settle
    this.#timer = setTimeout(
      () => this.#giveUp(new DOMException('no answer in time', 'TimeoutError')),
      timeoutMs,
    )
    this.#timer.unref()
  }

  /** undici calls it when a connection is ready, immediately before it writes the request to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A request that waits for a connection cannot be withdrawn, so it is aborted here, before a byte is written.
    if (this.#failure) controller.abort(this.#failure)
    else this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#size > answerLimitBytes) this.#giveUp(new Error('the answer is too large'))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    const body = Buffer.concat(this.#chunks).toString('utf8')
    this.#settle({ kind: 'answered', status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    if (this.#failure) return
    this.#failure = error instanceof Error ? error : new Error('the call failed', { cause: error })
    clearTimeout(this.#timer)
    this.#settle(classify(this.#failure, this.#controller !== undefined))
  }

  #giveUp(error: Error): void {
    this.fail(error)
    this.#controller?.abort(error)
  }
}

const notSentInTime: HttpResult = { kind: 'not_sent', reason: 'no connection was free in time' }

/** For a server that must know us and that we must know: no other authority is trusted, and no older TLS is spoken. */
export interface MutualTls {
  ca: string
  cert: string
  key: string
}

export function createAgent(timeoutMs = connectTimeoutMs, mutual?: MutualTls): Agent {
  const connect = buildConnector({
    timeout: timeoutMs,
    ...(mutual && { ...mutual, minVersion: 'TLSv1.3', rejectUnauthorized: true }),
  })
  return new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error) {
          connectFailures.add(error)
          callback(error, null)
        } else callback(null, socket)
      }),
  })
}

function classify(error: Error, hasStarted: boolean): HttpResult {
  const code = codeOf(error)
  if (connectFailures.has(error)) return { kind: 'not_sent', reason: code || 'no connection' }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    if (!hasStarted) return notSentInTime
    return { kind: 'unknown', reason: 'timeout' }
  }
  return { kind: 'unknown', reason: code || 'connection broke' }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
