import { Agent, errors, type Dispatcher } from 'undici'

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  timeoutMs?: number
}

/** What became of a call. `not_sent` is promised only for what fails before the first byte of the request. */
export type HttpResult =
  | { kind: 'answered'; status: number; headers: Record<string, string | string[] | undefined>; body: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string }

export type HttpClient = (call: HttpCall) => Promise<HttpResult>

export const defaultTimeoutMs = 15_000
const connectTimeoutMs = 5_000
const connectionsPerHost = 128
const answerLimitBytes = 1024 * 1024

/** Codes that can only arise while connecting: no byte of the request has left. */
const connectFailures = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

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
        body: call.body ?? null,
        signal,
      })
      const body = await readBounded(response.body)
      return { kind: 'answered', status: response.statusCode, headers: response.headers, body }
    } catch (error) {
      return classify(error)
    }
  }
}

export const createAgent = (): Agent =>
  new Agent({ connections: connectionsPerHost, pipelining: 1, connect: { timeout: connectTimeoutMs } })

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
  if (connectFailures.has(code)) return { kind: 'not_sent', reason: code }
  if (error instanceof errors.ConnectTimeoutError) return { kind: 'not_sent', reason: 'connect timeout' }
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { kind: 'unknown', reason: 'timeout' }
  return { kind: 'unknown', reason: code === '' ? 'connection broke' : code }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
