import { Agent, buildConnector, type Dispatcher } from 'undici'

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

const defaultTimeoutMs = 15_000
const connectTimeoutMs = 5_000
const connectionsPerHost = 128
const answerLimitBytes = 1024 * 1024

/** Errors of the connection attempt itself, before any byte was sent. The error code alone does not show this. */
const connectFailures = new WeakSet<Error>()

export function createHttpClient(dispatcher: Dispatcher = createAgent()): HttpClient {
  return async (call) => {
    const signal = AbortSignal.timeout(call.timeoutMs ?? defaultTimeoutMs)
    try {
      const url = new URL(call.url)
      const response = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: call.method,
        headers: call.headers ?? {},
        body: call.bytes ?? call.body ?? null,
        signal,
      })
      const body = await readBounded(response.body)
      return { kind: 'answered', status: response.statusCode, headers: response.headers, body }
    } catch (error) {
      return classify(error)
    }
  }
}

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

function classify(error: unknown): HttpResult {
  const code = codeOf(error)
  if (error instanceof Error && connectFailures.has(error))
    return { kind: 'not_sent', reason: code || 'no connection' }
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { kind: 'unknown', reason: 'timeout' }
  return { kind: 'unknown', reason: code || 'connection broke' }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
