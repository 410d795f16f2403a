import { Agent, buildConnector, type Dispatcher } from 'undici'
import { watchedEffects } from '../../lib/watch-effects.ts'

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
  const watched = dispatcher.compose(reportStart)
  return async (call) => {
    const effects = watchedEffects()
    if (effects && call.method !== 'GET') effects.hasActed = true
    const signal = AbortSignal.timeout(call.timeoutMs ?? defaultTimeoutMs)
    const sending: Sending = { signal, hasStarted: false }
    // A request that waits for a connection is not rejected when its signal fires, so the timeout is raced.
    const timedOut = notSentAfter(sending)
    try {
      const answered = sendRequest(watched, call, sending)
      return await Promise.race([answered, timedOut.result])
    } catch (error) {
      return classify(error, sending)
    } finally {
      timedOut.stop()
    }
  }
}

/** One call: whether its first byte may have been written, and when it is given up. */
interface Sending {
  signal: AbortSignal
  hasStarted: boolean
}

interface WatchedOptions extends Dispatcher.RequestOptions {
  sending: Sending
}

async function sendRequest(dispatcher: Dispatcher, call: HttpCall, sending: Sending): Promise<HttpResult> {
  const url = new URL(call.url)
  const options: WatchedOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: call.method,
    headers: call.headers ?? {},
    body: call.bytes ?? call.body ?? null,
    signal: sending.signal,
    sending,
  }
  const response = await dispatcher.request(options)
  const body = await readBounded(response.body)
  return { kind: 'answered', status: response.statusCode, headers: response.headers, body }
}

const reportStart: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, 'sending' in options ? startReporter(handler, options.sending as Sending) : handler) // set by sendRequest

/** undici calls onRequestStart when a connection is ready, immediately before it writes the request to it. */
const startReporter = (
  handler: Dispatcher.DispatchHandler,
  sending: Sending,
): Dispatcher.DispatchHandler => ({
  onRequestStart(controller, context) {
    // After the timeout undici's own handler aborts the request here, before a byte of it is written.
    if (!sending.signal.aborted) sending.hasStarted = true
    handler.onRequestStart?.(controller, context)
  },
  onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
  onResponseStart: (...args) => handler.onResponseStart?.(...args),
  onResponseData: (...args) => handler.onResponseData?.(...args),
  onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
  onResponseError: (...args) => handler.onResponseError?.(...args),
})

/** Settles when the timeout comes before the request has started. Afterwards the request can no longer start. */
function notSentAfter(sending: Sending): { result: Promise<HttpResult>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<HttpResult>()
  const giveUp = (): void => {
    if (!sending.hasStarted) resolve(notSentInTime)
  }
  sending.signal.addEventListener('abort', giveUp)
  return { result: promise, stop: () => sending.signal.removeEventListener('abort', giveUp) }
}

const notSentInTime: HttpResult = { kind: 'not_sent', reason: 'no connection was free in time' }

export function createAgent(timeoutMs = connectTimeoutMs): Agent {
  const connect = buildConnector({ timeout: timeoutMs })
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

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > answerLimitBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function classify(error: unknown, { hasStarted }: Sending): HttpResult {
  const code = codeOf(error)
  if (error instanceof Error && connectFailures.has(error))
    return { kind: 'not_sent', reason: code || 'no connection' }
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
